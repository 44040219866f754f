"""The sentences of the word problems in English."""

from __future__ import annotations

from lab.generators.problems.kinds import Words

WORDS: dict[str, Words] = {
    "total_tickets": Words(
        "A school group of {count} students visits a science museum. {extra}"
        "One ticket costs {price}.",
        "How much do the tickets for the group cost in all?",
        "They travel in {other} buses.",
    ),
    "total_chairs": Words(
        "A library buys {count} new chairs at {price} each. {extra}",
        "How much does the library pay for the new chairs?",
        "It already has {other} old chairs.",
    ),
    "change_shop": Words(
        "{name} buys {count} notebooks at {price} each. {extra}{name} pays with a {note} note.",
        "How much money does {name} get back?",
        "Each notebook has {other} pages.",
    ),
    "change_canteen": Words(
        "At a canteen, {name} orders {count} plates of idli at {price} a plate. {extra}"
        "{name} pays with a {note} note.",
        "How much money does {name} get back?",
        "There are {other} idlis on each plate.",
    ),
    "share_outing": Words(
        "A group of {people} friends hires a van for {first} and has lunch for {second}. "
        "{extra}They share the cost equally.",
        "How much does each friend pay?",
        "The ride takes {other} minutes.",
    ),
    "share_club": Words(
        "The {people} players of a cricket club buy a bat for {first} and pads for {second}. "
        "{extra}They share the cost equally.",
        "How much does each player pay?",
        "The club plays {other} matches a month.",
    ),
    "saving_money": Words(
        "{name} wants to buy a bicycle for {goal}. {extra}"
        "{name} already has {had} and saves {rate} every week.",
        "In how many weeks will {name} have enough money?",
        "The bicycle has {other} gears.",
    ),
    "filling_tank": Words(
        "A tank can hold {goal} litres and already has {had} litres in it. {extra}"
        "A pump adds {rate} litres every minute.",
        "In how many minutes will the tank be full?",
        "The pump stands {other} metres from the tank.",
    ),
    "fares_bus": Words(
        "A bus ticket costs {adult} for an adult and {child} for a child. {extra}"
        "A group of {adults} adults and {children} children travels by bus.",
        "How much do all the tickets cost?",
        "The journey is {other} km long.",
    ),
    "fares_zoo": Words(
        "A zoo ticket costs {adult} for an adult and {child} for a child. {extra}"
        "A group of {adults} adults and {children} children visits the zoo.",
        "How much does the group pay?",
        "A walk through the zoo takes {other} minutes.",
    ),
    "price_kg": Words(
        "At a shop, the price of {bought} kg of {thing.many} is {paid}. {extra}",
        "At the same rate, what is the price of {wanted} kg?",
        "The shop has {other} kg left.",
    ),
    "petrol": Words(
        "A motorbike goes {paid} km on {bought} litres of petrol. {extra}",
        "At the same rate, how far does it go on {wanted} litres?",
        "Its tank holds {other} litres.",
    ),
    "profit_fruit": Words(
        "A fruit seller buys {bought} kg of mangoes for {paid} in all. {extra}"
        "Of these, {lost} kg go bad. The seller sells the rest at {price} a kg.",
        "How much profit does the seller make?",
        "The mangoes come in {other} boxes.",
    ),
    "profit_shirts": Words(
        "A shopkeeper buys {bought} shirts at {cost} each. {extra}"
        "The shopkeeper sells {first} of them at {price} each and all the others at {lower} "
        "each.",
        "How much profit does the shopkeeper make?",
        "The shirts come in {other} colours.",
    ),
    "canteen_tea": Words(
        "At a canteen, the bill for {cups} cups of tea and {few} samosas is {first}. {extra}"
        "The bill for {cups} cups of tea and {many} samosas is {second}.",
        "How much does one cup of tea cost?",
        "The canteen has {other} tables.",
    ),
    "canteen_samosa": Words(
        "At a canteen, the bill for {cups} cups of tea and {few} samosas is {first}. {extra}"
        "The bill for {cups} cups of tea and {many} samosas is {second}.",
        "How much does one samosa cost?",
        "The canteen has {other} tables.",
    ),
    "discount": Words(
        "A shop gives a discount of {percent}% on {thing.an} marked {price}. {extra}",
        "How much does a customer pay for the {thing.one}?",
        "The shop sold {other} {thing.many} last month.",
    ),
    "ratio_told": Words(
        "{one} and {two} share {whole} in the ratio {mine} : {yours}. {extra}",
        "How much does {one} get?",
        "They have worked together for {other} days.",
    ),
    "ratio_found": Words(
        "{one} and {two} start a tea stall. {one} puts in {mine} and {two} puts in {yours}. "
        "{extra}They share a profit of {whole} in the ratio of the money they put in.",
        "How much of the profit does {one} get?",
        "The stall is open {other} days a month.",
    ),
    "before_discount": Words(
        "After a discount of {percent}%, {thing.an} costs {now}. {extra}",
        "How much did the {thing.one} cost before the discount?",
        "The shop sold {other} {thing.many} last month.",
    ),
    "before_raise": Words(
        "After a raise of {percent}%, a driver earns {now} a month. {extra}",
        "How much did the driver earn a month before the raise?",
        "The driver works {other} days a month.",
    ),
    "markup_profit": Words(
        "A shopkeeper buys {thing.an} for {cost} and marks it {up}% above this cost. {extra}"
        "A customer gets {down}% off the marked price.",
        "How much profit does the shopkeeper make on this sale?",
        "The shopkeeper has {other} {thing.many} in stock.",
    ),
    "markup_price": Words(
        "A shopkeeper buys {thing.an} for {cost} and marks it {up}% above this cost. {extra}"
        "A customer gets {down}% off the marked price.",
        "How much does the customer pay?",
        "The shopkeeper has {other} {thing.many} in stock.",
    ),
    "ratio_books": Words(
        "In a library, the ratio of Hindi books to English books is {low} : {high}. {extra}"
        "There are {more} more English books than Hindi books.",
        "How many Hindi and English books are there in all?",
        "The library is open for {other} hours a month.",
    ),
    "ratio_money": Words(
        "{one} and {two} share some money in the ratio {low} : {high}. {extra}"
        "{two} gets {more} more than {one}.",
        "How much money do they share in all?",
        "They have worked together for {other} days.",
    ),
    "left_pay": Words(
        "{name} spends {first} of a month's pay on rent and {second} of the rest on food, "
        "and {left} is left. {extra}",
        "How much is the month's pay?",
        "{name} has worked for {other} years.",
    ),
    "left_crop": Words(
        "A farmer sells {first} of a wheat crop and gives {second} of the rest to the workers, "
        "and {left} kg are left. {extra}",
        "How many kg did the whole crop weigh?",
        "The field is {other} km from the market.",
    ),
    "first_price": Words(
        "The price of {thing.an} goes up by {up}%. Later the new price goes down by {down}%. "
        "{extra}Now the {thing.one} costs {now}.",
        "How much did it cost at first?",
        "The shop sold {other} {thing.many} last month.",
    ),
    "supply_data": Words(
        "A phone pack gives {total} GB of data for {days} days. {extra}"
        "{name} uses {rate} GB a day for the first {early} days.",
        "How many GB a day can {name} use on the remaining days, so that nothing "
        "is left at the end?",
        "The pack costs {other}.",
    ),
    "supply_rice": Words(
        "A hostel kitchen has {total} kg of rice for {days} days. {extra}"
        "It uses {rate} kg a day for the first {early} days.",
        "How many kg a day can it use on the remaining days, so that nothing is left at the end?",
        "The hostel has {other} rooms.",
    ),
    "mixed_tea": Words(
        "A shopkeeper mixes {many} kg of tea at {low} a kg with {few} kg of tea at {high} "
        "a kg. {extra}",
        "How much does one kg of the mixture cost?",
        "The tea comes in {other} boxes.",
    ),
    "mixed_students": Words(
        "In a class, {many} students spend {low} each on bus fare in a month, and the other "
        "{few} students spend {high} each. {extra}",
        "How much does a student of this class spend on average?",
        "The students come on {other} bus routes.",
    ),
    "workers": Words(
        "A team of {first} workers can paint a school in {days} days. {extra}"
        "All of them work equally fast.",
        "In how many days can a team of {second} such workers paint the school?",
        "They work {other} hours a day.",
    ),
    "fodder": Words(
        "A farmer has enough fodder to feed {first} cows for {days} days. {extra}"
        "All the cows eat equally much.",
        "For how many days is this fodder enough for {second} cows?",
        "Each cow gives {other} litres of milk a day.",
    ),
    "power_bill": Words(
        "The first {limit} units of electricity in a month cost {low} each. "
        "Every further unit costs {high}. {extra}A family uses {used} units in a month.",
        "How much is the bill for this month?",
        "Bills have to be paid in {other} days.",
    ),
    "power_use": Words(
        "The first {limit} units of electricity in a month cost {low} each. "
        "Every further unit costs {high}. {extra}A family gets a bill of {bill} for a month.",
        "How many units did the family use in this month?",
        "Bills have to be paid in {other} days.",
    ),
    "auto_bill": Words(
        "An auto-rickshaw charges {low} for the first {limit} km together. "
        "Every further km costs {high}. {extra}A ride is {used} km long.",
        "How much does the ride cost?",
        "There are {other} passengers.",
    ),
    "auto_use": Words(
        "An auto-rickshaw charges {low} for the first {limit} km together. "
        "Every further km costs {high}. {extra}A ride costs {bill}.",
        "How many km long is the ride?",
        "There are {other} passengers.",
    ),
    "average_runs": Words(
        "A batter has scored {average} runs a match on average in {count} matches. {extra}",
        "How many runs in the next match bring the average to exactly {new}?",
        "The highest score was {other} runs.",
    ),
    "average_sales": Words(
        "In its first {count} days, a stall earned {average} a day on average. {extra}",
        "How much must it earn on the next day to bring the average to exactly {new}?",
        "It is open for {other} hours a day.",
    ),
}
