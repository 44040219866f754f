"""The questions about tables and charts in English."""

from __future__ import annotations

from lab.generators.data.kinds import Asked

QUESTIONS: dict[tuple[str, str], Asked] = {
    ("rain", "read"): Asked("How much rain fell in {row}?"),
    ("lending", "read"): Asked("How many books did the library lend in {row}?"),
    ("visitors", "read"): Asked("How many people visited the museum on {row}?"),
    ("power", "read"): Asked("How many units did the shop use in {row}?"),
    ("trees", "read"): Asked("How many trees did {row} plant?"),
    ("rain", "most"): Asked("Which month had the most rain?"),
    ("rain", "least"): Asked("Which month had the least rain?"),
    ("rain", "second"): Asked("Which month had the second most rain?"),
    ("visitors", "most"): Asked("Which day had the most visitors?"),
    ("visitors", "least"): Asked("Which day had the fewest visitors?"),
    ("visitors", "second"): Asked("Which day had the second most visitors?"),
    ("trees", "most"): Asked("Which class planted the most trees?"),
    ("trees", "least"): Asked("Which class planted the fewest trees?"),
    ("trees", "second"): Asked("Which class planted the second most trees?"),
    ("lending", "difference"): Asked(
        "How many more books did the library lend in {row} than in {other}?"
    ),
    ("power", "difference"): Asked(
        "How many more units did the shop use in {row} than in {other}?"
    ),
    ("visitors", "difference"): Asked(
        "How many more people visited the museum on {row} than on {other}?"
    ),
    ("rain", "above"): Asked("In how many months was there more than {limit} mm of rain?"),
    ("rain", "below"): Asked("In how many months was there less than {limit} mm of rain?"),
    ("visitors", "above"): Asked("On how many days did more than {limit} people come?"),
    ("visitors", "below"): Asked("On how many days did fewer than {limit} people come?"),
    ("power", "above"): Asked("In how many months did the shop use more than {limit} units?"),
    ("power", "below"): Asked("In how many months did the shop use fewer than {limit} units?"),
    ("rain", "rise"): Asked("From which month to the next did the rain increase most?"),
    ("rain", "fall"): Asked("From which month to the next did the rain decrease most?"),
    ("lending", "rise"): Asked(
        "From which month to the next did the number of books lent increase most?"
    ),
    ("lending", "fall"): Asked(
        "From which month to the next did the number of books lent decrease most?"
    ),
    ("power", "rise"): Asked(
        "From which month to the next did the shop's use of electricity increase most?"
    ),
    ("power", "fall"): Asked(
        "From which month to the next did the shop's use of electricity decrease most?"
    ),
    ("lending", "ratio"): Asked(
        "What is the ratio of the books lent in {row} to the books lent in {other}?"
    ),
    ("visitors", "ratio"): Asked(
        "What is the ratio of the visitors on {row} to the visitors on {other}?"
    ),
    ("trees", "ratio"): Asked(
        "What is the ratio of the trees planted by {row} to the trees planted by {other}?"
    ),
    ("lending", "average"): Asked(
        "How many books did the library lend a month on average in these {count} months?"
    ),
    ("power", "average"): Asked(
        "How many units did the shop use a month on average in these {count} months?"
    ),
    ("trees", "average"): Asked(
        "How many trees did a class plant on average in these {count} classes?"
    ),
    ("power", "percent_up"): Asked(
        "By what percentage did the shop's use of electricity increase from {other} to {row}?"
    ),
    ("power", "percent_down"): Asked(
        "By what percentage did the shop's use of electricity decrease from {other} to {row}?"
    ),
    ("visitors", "percent_up"): Asked(
        "By what percentage did the number of visitors increase from {other} to {row}?"
    ),
    ("visitors", "percent_down"): Asked(
        "By what percentage did the number of visitors decrease from {other} to {row}?"
    ),
    ("trees", "share"): Asked(
        "What percentage of all the trees planted by these classes did {row} plant?"
    ),
    ("lending", "share"): Asked(
        "What percentage of all the books lent in these months did the library lend in {row}?"
    ),
    ("visitors", "share"): Asked(
        "What percentage of all the visitors on these days came on {row}?"
    ),
    ("rain", "missing"): Asked(
        "How much rain fell in {row}?",
        "In the {count} months from {first} to {row}, {average} mm of rain fell a month on "
        "average. The value for {row} is not shown.",
    ),
    ("visitors", "missing"): Asked(
        "How many people visited the museum on {row}?",
        "On the {count} days from {first} to {row}, {average} people a day visited the museum "
        "on average. The value for {row} is not shown.",
    ),
    ("power", "missing"): Asked(
        "How many units did the shop use in {row}?",
        "In the {count} months from {first} to {row}, the shop used {average} units a month "
        "on average. The value for {row} is not shown.",
    ),
    ("milk", "largest_total"): Asked(
        "Which village gave the most milk, morning and evening together?"
    ),
    ("zoo", "largest_total"): Asked(
        "Which day had the most visitors, adults and children together?"
    ),
    ("milk", "both"): Asked(
        "In how many villages were more than {high} litres collected in the morning "
        "and less than {low} litres in the evening?"
    ),
    ("zoo", "both"): Asked(
        "On how many days were there more than {high} adults and fewer than {low} children?"
    ),
    ("canteen", "income"): Asked("How much money did the canteen get for all these plates?"),
    ("zoo", "income"): Asked(
        "How much money did the zoo get for tickets on {row}?",
        "A ticket costs {adult} for an adult and {child} for a child.",
    ),
    ("players", "best_rate"): Asked("Which player scored the most runs per match?"),
    ("fields", "best_rate"): Asked("Which field gave the most quintals per acre?"),
    ("buses", "best_rate"): Asked("Which route had the most passengers per trip?"),
    ("packs", "best_rate"): Asked("Which pack has the lowest price for each GB?"),
    ("players", "overall_rate"): Asked(
        "How many runs per match did all these players together score on average?"
    ),
    ("fields", "overall_rate"): Asked(
        "How many quintals per acre did all these fields together give on average?"
    ),
    ("buses", "overall_rate"): Asked(
        "How many passengers per trip did all these routes together have on average?"
    ),
    ("members", "growth"): Asked(
        "In which village did the number of members grow by the highest percentage?"
    ),
    ("commuters", "growth"): Asked(
        "On which route did the number of passengers grow by the highest percentage?"
    ),
    ("canteen", "price_rise"): Asked(
        "How much money does the canteen get for {row} on the next day?",
        "On the next day, a plate of {row} costs {percent}% more, and {fewer} fewer plates "
        "of {row} are sold.",
    ),
    ("canteen", "unknown_price"): Asked(
        "What is the price of a plate of {row}?",
        "For all these plates together, the canteen got {total}.",
    ),
    ("stall", "profit"): Asked("How much profit did the stall make in all?"),
    ("fruit", "profit"): Asked("How much profit did the stall make in all?"),
    ("stall", "profit_percent"): Asked(
        "What was the total profit as a percentage of the total cost?"
    ),
    ("fruit", "profit_percent"): Asked(
        "What was the total profit as a percentage of the total cost?"
    ),
}
