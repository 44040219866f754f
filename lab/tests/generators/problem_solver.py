"""A second, independent opinion on the word problems: read the English and work it out.

Each form is a problem's text with `#a` for a number that counts, `#` for one that does not, NAME
and THING for words, and the sentence that may be missing in square brackets. Where the start is
asked for, every start in some wide range is tried. Nothing is shared with the generators.
"""

import re
from fractions import Fraction

PARTS = {
    "half": Fraction(1, 2),
    "one third": Fraction(1, 3),
    "one quarter": Fraction(1, 4),
    "one fifth": Fraction(1, 5),
    "two thirds": Fraction(2, 3),
    "two fifths": Fraction(2, 5),
    "three quarters": Fraction(3, 4),
}


def answers(text):
    """Return every answer that some form leads to; a sound problem has one form and one answer."""
    found = []
    for form, solve in FORMS:
        match = form.fullmatch(text)
        if match:
            groups = match.groupdict()
            found += solve(Read(groups))
    return found


class Read:
    """The numbers of a problem by their letter; parts of a whole as fractions."""

    def __init__(self, groups):
        self._groups = groups

    def __getattr__(self, letter):
        told = self._groups[letter]
        return PARTS[told] if told in PARTS else Fraction(told.replace(",", ""))


def tried(starts, fits):
    return [Fraction(start) for start in starts if fits(Fraction(start))]


def form(text):
    """Return the pattern of a text in this notation."""
    number, part = "[0-9](?:[0-9,]*[0-9])?", "|".join(PARTS)
    pattern = re.escape(text).replace(r"\ ", " ")
    pattern = re.sub(r"\\\[(.*?)\\\]", lambda found: f"(?:{found[1]})?", pattern)
    pattern = re.sub(r"\bAN\b", "an?", pattern)
    pattern = re.sub(r"\bTHING\b", "[a-z][a-z ]*", pattern)
    pattern = re.sub(r"\bNAME\b", "[A-Z][a-z]+", pattern)
    pattern = re.sub(r"\bPART([a-z])\b", lambda found: f"(?P<{found[1]}>{part})", pattern)
    pattern = re.sub(r"\\#([a-z])\b", lambda found: f"(?P<{found[1]}>{number})", pattern)
    return re.compile(pattern.replace(r"\#", number))


def after(start, *percents):
    """What becomes of an amount that changes by these percentages, one after the other."""
    for percent in percents:
        start += start * percent / 100
    return start


ALL = [
    (
        "A school group of #a students visits a science museum. [They travel in # buses. ]One "
        "ticket costs ₹#b. How much do the tickets for the group cost in all?",
        lambda n: [n.a * n.b],
    ),
    (
        "A library buys #a new chairs at ₹#b each.[ It already has # old chairs.] "
        "How much does the library pay for the new chairs?",
        lambda n: [n.a * n.b],
    ),
    (
        "NAME buys #a notebooks at ₹#b each. [Each notebook has # pages. ]NAME pays with a "
        "₹#c note. How much money does NAME get back?",
        lambda n: tried(range(1, 501), lambda back: back + n.a * n.b == n.c),
    ),
    (
        "At a canteen, NAME orders #a plates of idli at ₹#b a plate. [There are # idlis on each "
        "plate. ]NAME pays with a ₹#c note. How much money does NAME get back?",
        lambda n: tried(range(1, 501), lambda back: back + n.a * n.b == n.c),
    ),
    (
        "A group of #n friends hires a van for ₹#a and has lunch for ₹#b. [The ride takes # "
        "minutes. ]They share the cost equally. How much does each friend pay?",
        lambda n: [(n.a + n.b) / n.n],
    ),
    (
        "The #n players of a cricket club buy a bat for ₹#a and pads for ₹#b. [The club plays "
        "# matches a month. ]They share the cost equally. How much does each player pay?",
        lambda n: [(n.a + n.b) / n.n],
    ),
    (
        "NAME wants to buy a bicycle for ₹#a. [The bicycle has # gears. ]NAME already has ₹#b "
        "and saves ₹#c every week. In how many weeks will NAME have enough money?",
        lambda n: tried(range(200), lambda weeks: n.b + weeks * n.c == n.a),
    ),
    (
        "A tank can hold #a litres and already has #b litres in it. [The pump stands # metres "
        "from the tank. ]A pump adds #c litres every minute. In how many minutes will the tank "
        "be full?",
        lambda n: tried(range(200), lambda minutes: n.b + minutes * n.c == n.a),
    ),
    (
        "A bus ticket costs ₹#a for an adult and ₹#b for a child. [The journey is # km long. ]"
        "A group of #c adults and #d children travels by bus. How much do all the tickets cost?",
        lambda n: [n.a * n.c + n.b * n.d],
    ),
    (
        "A zoo ticket costs ₹#a for an adult and ₹#b for a child. [A walk through the zoo "
        "takes # minutes. ]A group of #c adults and #d children visits the zoo. How much does the "
        "group pay?",
        lambda n: [n.a * n.c + n.b * n.d],
    ),
    (
        "At a shop, the price of #a kg of THING is ₹#b.[ The shop has # kg left.] At the same "
        "rate, what is the price of #c kg?",
        lambda n: [n.b / n.a * n.c],
    ),
    (
        "A motorbike goes #b km on #a litres of petrol.[ Its tank holds # litres.] At the same "
        "rate, how far does it go on #c litres?",
        lambda n: [n.b / n.a * n.c],
    ),
    (
        "A fruit seller buys #a kg of mangoes for ₹#b in all. [The mangoes come in # boxes. ]"
        "Of these, #c kg go bad. The seller sells the rest at ₹#d a kg. How much profit does "
        "the seller make?",
        lambda n: [(n.a - n.c) * n.d - n.b],
    ),
    (
        "A shopkeeper buys #a shirts at ₹#b each. [The shirts come in # colours. ]The shopkeeper "
        "sells #c of them at ₹#d each and all the others at ₹#e each. How much profit does "
        "the shopkeeper make?",
        lambda n: [n.c * (n.d - n.b) + (n.a - n.c) * (n.e - n.b)],
    ),
    *(
        (
            "At a canteen, the bill for #a cups of tea and #b samosas is ₹#c. [The canteen has "
            "# tables. ]The bill for #d cups of tea and #e samosas is ₹#f. How much does one "
            f"{asked} cost?",
            lambda n, which=which: sorted(
                {
                    Fraction((tea, samosa)[which])
                    for tea in range(1, 50)
                    for samosa in range(1, 50)
                    if n.a * tea + n.b * samosa == n.c and n.d * tea + n.e * samosa == n.f
                }
            ),
        )
        for which, asked in enumerate(("cup of tea", "samosa"))
    ),
    (
        "A shop gives a discount of #a% on AN THING marked ₹#b.[ The shop sold # THING last "
        "month.] How much does a customer pay for the THING?",
        lambda n: [after(n.b, -n.a)],
    ),
    (
        "NAME and NAME share ₹#c in the ratio #a : #b.[ They have worked together for # days.] "
        "How much does NAME get?",
        lambda n: tried(range(10, int(n.c), 10), lambda mine: mine * n.b == (n.c - mine) * n.a),
    ),
    (
        "NAME and NAME start a tea stall. NAME puts in ₹#a and NAME puts in ₹#b. [The stall "
        "is open # days a month. ]They share a profit of ₹#c in the ratio of the money they put "
        "in. How much of the profit does NAME get?",
        lambda n: tried(range(10, int(n.c), 10), lambda mine: mine * n.b == (n.c - mine) * n.a),
    ),
    (
        "After a discount of #a%, AN THING costs ₹#b.[ The shop sold # THING last month.] How "
        "much did the THING cost before the discount?",
        lambda n: tried(range(10, 30_000, 10), lambda start: after(start, -n.a) == n.b),
    ),
    (
        "After a raise of #a%, a driver earns ₹#b a month.[ The driver works # days a month.] "
        "How much did the driver earn a month before the raise?",
        lambda n: tried(range(10, 30_000, 10), lambda start: after(start, n.a) == n.b),
    ),
    *(
        (
            "A shopkeeper buys AN THING for ₹#a and marks it #b% above this cost. [The "
            f"shopkeeper has # THING in stock. ]A customer gets #c% off the marked price. {asked}",
            lambda n, less=less: [after(n.a, n.b, -n.c) - less * n.a],
        )
        for less, asked in enumerate(
            (
                "How much does the customer pay?",
                "How much profit does the shopkeeper make on this sale?",
            )
        )
    ),
    (
        "In a library, the ratio of Hindi books to English books is #a : #b. [The library is open "
        "for # hours a month. ]There are #c more English books than Hindi books. How many Hindi "
        "and English books are there in all?",
        lambda n: [
            2 * hindi + n.c
            for hindi in tried(range(1, 5000), lambda some: some * n.b == (some + n.c) * n.a)
        ],
    ),
    (
        "NAME and NAME share some money in the ratio #a : #b. [They have worked together for # "
        "days. ]NAME gets ₹#c more than NAME. How much money do they share in all?",
        lambda n: [
            2 * less + n.c
            for less in tried(range(1, 5000), lambda some: some * n.b == (some + n.c) * n.a)
        ],
    ),
    (
        "NAME spends PARTa of a month's pay on rent and PARTb of the rest on food, and ₹#c is "
        "left.[ NAME has worked for # years.] How much is the month's pay?",
        lambda n: tried(
            range(10, 30_000, 10), lambda pay: pay - pay * n.a - (pay - pay * n.a) * n.b == n.c
        ),
    ),
    (
        "A farmer sells PARTa of a wheat crop and gives PARTb of the rest to the workers, and #c "
        "kg are left.[ The field is # km from the market.] How many kg did the whole crop weigh?",
        lambda n: tried(
            range(10, 30_000, 10), lambda crop: crop - crop * n.a - (crop - crop * n.a) * n.b == n.c
        ),
    ),
    (
        "The price of AN THING goes up by #a%. Later the new price goes down by #b%. [The shop "
        "sold # THING last month. ]Now the THING costs ₹#c. How much did it cost at first?",
        lambda n: tried(range(10, 30_000, 10), lambda start: after(start, n.a, -n.b) == n.c),
    ),
    (
        "A phone pack gives #a GB of data for #b days. [The pack costs ₹#. ]NAME uses #c GB a "
        "day for the first #d days. How many GB a day can NAME use on the remaining days, so that "
        "nothing is left at the end?",
        lambda n: tried(range(100), lambda rate: n.c * n.d + rate * (n.b - n.d) == n.a),
    ),
    (
        "A hostel kitchen has #a kg of rice for #b days. [The hostel has # rooms. ]It uses #c kg "
        "a day for the first #d days. How many kg a day can it use on the remaining days, so that "
        "nothing is left at the end?",
        lambda n: tried(range(100), lambda rate: n.c * n.d + rate * (n.b - n.d) == n.a),
    ),
    (
        "A shopkeeper mixes #a kg of tea at ₹#b a kg with #c kg of tea at ₹#d a kg.[ The tea "
        "comes in # boxes.] How much does one kg of the mixture cost?",
        lambda n: tried(range(2000), lambda each: each * (n.a + n.c) == n.a * n.b + n.c * n.d),
    ),
    (
        "In a class, #a students spend ₹#b each on bus fare in a month, and the other #c "
        "students spend ₹#d each.[ The students come on # bus routes.] How much does a student "
        "of this class spend on average?",
        lambda n: tried(range(2000), lambda each: each * (n.a + n.c) == n.a * n.b + n.c * n.d),
    ),
    (
        "A team of #a workers can paint a school in #b days. [They work # hours a day. ]All of "
        "them work equally fast. In how many days can a team of #c such workers paint the school?",
        lambda n: tried(range(1, 500), lambda days: days * n.c == n.a * n.b),
    ),
    (
        "A farmer has enough fodder to feed #a cows for #b days. [Each cow gives # litres of milk "
        "a day. ]All the cows eat equally much. For how many days is this fodder enough for #c "
        "cows?",
        lambda n: tried(range(1, 500), lambda days: days * n.c == n.a * n.b),
    ),
    (
        "The first #a units of electricity in a month cost ₹#b each. Every further unit costs "
        "₹#c. [Bills have to be paid in # days. ]A family uses #d units in a month. How much is "
        "the bill for this month?",
        lambda n: [sum((n.b if unit <= n.a else n.c) for unit in range(1, int(n.d) + 1))],
    ),
    (
        "The first #a units of electricity in a month cost ₹#b each. Every further unit costs "
        "₹#c. [Bills have to be paid in # days. ]A family gets a bill of ₹#d for a month. How "
        "many units did the family use in this month?",
        lambda n: tried(
            range(1, 1000),
            lambda used: min(used, n.a) * n.b + max(Fraction(0), used - n.a) * n.c == n.d,
        ),
    ),
    (
        "An auto-rickshaw charges ₹#b for the first #a km together. Every further km costs "
        "₹#c. [There are # passengers. ]A ride is #d km long. How much does the ride cost?",
        lambda n: [n.b + sum(n.c for km in range(1, int(n.d) + 1) if km > n.a)],
    ),
    (
        "An auto-rickshaw charges ₹#b for the first #a km together. Every further km costs "
        "₹#c. [There are # passengers. ]A ride costs ₹#d. How many km long is the ride?",
        lambda n: tried(range(3, 100), lambda used: n.b + (used - n.a) * n.c == n.d),
    ),
    (
        "A batter has scored #a runs a match on average in #b matches.[ The highest score was # "
        "runs.] How many runs in the next match bring the average to exactly #c?",
        lambda n: tried(range(400), lambda more: (n.a * n.b + more) / (n.b + 1) == n.c),
    ),
    (
        "In its first #b days, a stall earned ₹#a a day on average.[ It is open for # hours a "
        "day.] How much must it earn on the next day to bring the average to exactly ₹#c?",
        lambda n: tried(range(9000), lambda more: (n.a * n.b + more) / (n.b + 1) == n.c),
    ),
]
FORMS = [(form(text), solve) for text, solve in ALL]
