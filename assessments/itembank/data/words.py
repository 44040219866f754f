"""What the tables and charts are about, and how their rows are named, keyed by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A row's name: in the figure, in a sentence, and as an option."""

    label: str
    named: str
    option: str


@dataclass(frozen=True, slots=True)
class Theme:
    """What a figure shows: its caption, the heading of its rows, and of its columns."""

    caption: str
    head: str
    columns: Mapping[str, str]


def _alike(*names: str) -> dict[str, Row]:
    return {name.lower().replace(" ", "_"): Row(name, name, name) for name in names}


def _short(*names: str) -> dict[str, Row]:
    return {name[:3].lower(): Row(name[:3], name, name) for name in names}


def _things(*names: str) -> dict[str, Row]:
    return {name: Row(name.capitalize(), name, name.capitalize()) for name in names}


ROWS: dict[str, dict[str, Row]] = {
    "en": {
        **_short("January", "February", "March", "April", "May", "June", "July", "August"),
        **_short("September", "October", "November", "December"),
        **_short("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        **_alike("Class 5", "Class 6", "Class 7", "Class 8", "Class 9"),
        **_alike("Ambla", "Belur", "Kheri", "Manda", "Ratu", "Sonpur"),
        **_alike("Kiran", "Noor", "Robin", "Suman", "Mani", "Anmol"),
        **_alike("Field A", "Field B", "Field C", "Field D", "Field E"),
        **_alike("Pack A", "Pack B", "Pack C", "Pack D", "Pack E"),
        **_alike("Route 1", "Route 2", "Route 3", "Route 4", "Route 5"),
        **_things("idli", "dosa", "vada", "poha", "upma", "thali"),
        **_things("bags", "caps", "umbrellas", "lamps"),
        **_things("mangoes", "apples", "guavas", "grapes"),
    }
}

THEMES: dict[str, dict[str, Theme]] = {
    "en": {
        "rain": Theme("Rain in a town (in mm)", "Month", {"value": "Rain"}),
        "lending": Theme("Books lent by a library", "Month", {"value": "Books"}),
        "visitors": Theme("Visitors to a museum", "Day", {"value": "Visitors"}),
        "power": Theme("Electricity used by a shop (in units)", "Month", {"value": "Units"}),
        "trees": Theme("Trees planted by the classes of a school", "Class", {"value": "Trees"}),
        "milk": Theme(
            "Milk collected in villages on one day (in litres)",
            "Village",
            {"morning": "Morning", "evening": "Evening"},
        ),
        "zoo": Theme("Visitors to a zoo", "Day", {"adults": "Adults", "children": "Children"}),
        "canteen": Theme(
            "Price of a plate, and plates sold in a canteen on one day",
            "Food",
            {"price": "Price (Rs)", "sold": "Plates"},
        ),
        "players": Theme(
            "Players of a cricket club", "Player", {"matches": "Matches", "runs": "Runs"}
        ),
        "fields": Theme(
            "Wheat grown by a farmer", "Field", {"acres": "Acres", "quintals": "Quintals"}
        ),
        "packs": Theme("Phone data packs", "Pack", {"gb": "Data (GB)", "price": "Price (Rs)"}),
        "buses": Theme(
            "City buses on one day", "Route", {"trips": "Trips", "passengers": "Passengers"}
        ),
        "members": Theme(
            "Members of village libraries", "Village", {"before": "2024", "after": "2025"}
        ),
        "commuters": Theme(
            "Passengers a day on bus routes", "Route", {"before": "2024", "after": "2025"}
        ),
        "stall": Theme(
            "Items sold at a stall (cost and price of one, in Rs)",
            "Item",
            {"cost": "Cost", "price": "Price", "sold": "Sold"},
        ),
        "fruit": Theme(
            "Fruit sold at a stall, in kg (cost and price: Rs per kg)",
            "Fruit",
            {"cost": "Cost", "price": "Price", "sold": "Sold"},
        ),
    }
}

# What a chart shows, in words; then each of its bars, and what stands between two of them.
ALTERNATIVE = {"en": "Bar chart: {caption}. {bars}."}
BAR = {"en": "{row}: {value}"}
BETWEEN = {"en": "; "}
# From one row to the next, as an option.
SPAN = {"en": "{first} to {second}"}
RATIO = {"en": "{first} : {second}"}
