"""The themes of tables and charts and the names of their rows, keyed by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lab.generators.problems.vocabulary import NAMES


@dataclass(frozen=True, slots=True)
class Row:
    """A row's name: in the figure, in a sentence, and as an option.

    In Hindi sentences it occurs only before a postposition, so `named` is the oblique form.
    """

    label: str
    named: str
    option: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The texts of a figure: its caption and the headings of its rows and columns."""

    caption: str
    head: str
    columns: Mapping[str, str]


def _same(name: str) -> Row:
    return Row(name, name, name)


def _alike(*names: str) -> dict[str, Row]:
    return {name.lower().replace(" ", "_"): _same(name) for name in names}


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
    },
    "hi": {
        "jan": _same("जनवरी"),
        "feb": _same("फ़रवरी"),
        "mar": _same("मार्च"),
        "apr": _same("अप्रैल"),
        "may": _same("मई"),
        "jun": _same("जून"),
        "jul": _same("जुलाई"),
        "aug": _same("अगस्त"),
        "sep": _same("सितंबर"),
        "oct": _same("अक्टूबर"),
        "nov": _same("नवंबर"),
        "dec": _same("दिसंबर"),
        "mon": Row("सोम", "सोमवार", "सोमवार"),
        "tue": Row("मंगल", "मंगलवार", "मंगलवार"),
        "wed": Row("बुध", "बुधवार", "बुधवार"),
        "thu": Row("गुरु", "गुरुवार", "गुरुवार"),
        "fri": Row("शुक्र", "शुक्रवार", "शुक्रवार"),
        "sat": Row("शनि", "शनिवार", "शनिवार"),
        "sun": Row("रवि", "रविवार", "रविवार"),
        **{f"class_{number}": _same(f"क्लास {number}") for number in range(5, 10)},
        "ambla": _same("अंबला"),
        "belur": _same("बेलूर"),
        "kheri": _same("खेड़ी"),
        "manda": _same("मांडा"),
        "ratu": _same("रातू"),
        "sonpur": _same("सोनपुर"),
        **{key: _same(name) for key, name in NAMES["hi"].items()},
        **{f"field_{letter.lower()}": _same(f"खेत {letter}") for letter in "ABCDE"},
        **{f"pack_{letter.lower()}": _same(f"पैक {letter}") for letter in "ABCDE"},
        **{f"route_{number}": _same(f"रूट {number}") for number in range(1, 6)},
        "idli": _same("इडली"),
        "dosa": Row("डोसा", "डोसे", "डोसा"),
        "vada": Row("वड़ा", "वड़े", "वड़ा"),
        "poha": Row("पोहा", "पोहे", "पोहा"),
        "upma": _same("उपमा"),
        "thali": _same("थाली"),
        "bags": _same("बैग"),
        "caps": Row("टोपियाँ", "टोपियों", "टोपियाँ"),
        "umbrellas": Row("छाते", "छातों", "छाते"),
        "lamps": _same("लैंप"),
        "mangoes": _same("आम"),
        "apples": _same("सेब"),
        "guavas": _same("अमरूद"),
        "grapes": _same("अंगूर"),
    },
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
            {"price": "Price (₹)", "sold": "Plates"},
        ),
        "players": Theme(
            "Players of a cricket club", "Player", {"matches": "Matches", "runs": "Runs"}
        ),
        "fields": Theme(
            "Wheat grown by a farmer", "Field", {"acres": "Acres", "quintals": "Quintals"}
        ),
        "packs": Theme("Phone data packs", "Pack", {"gb": "Data (GB)", "price": "Price (₹)"}),
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
            "Items sold at a stall (cost and price of one, in ₹)",
            "Item",
            {"cost": "Cost", "price": "Price", "sold": "Sold"},
        ),
        "fruit": Theme(
            "Fruit sold at a stall, in kg (cost and price: ₹ per kg)",
            "Fruit",
            {"cost": "Cost", "price": "Price", "sold": "Sold"},
        ),
    },
    "hi": {
        "rain": Theme("एक शहर में बारिश (मिमी में)", "महीना", {"value": "बारिश"}),
        "lending": Theme("एक लाइब्रेरी से दी गई किताबें", "महीना", {"value": "किताबें"}),
        "visitors": Theme("म्यूज़ियम देखने आए लोग", "दिन", {"value": "लोग"}),
        "power": Theme("एक दुकान में बिजली का खर्च (यूनिट में)", "महीना", {"value": "यूनिट"}),
        "trees": Theme("एक स्कूल की क्लासों के लगाए पेड़", "क्लास", {"value": "पेड़"}),
        "milk": Theme(
            "एक दिन में गाँवों से जमा हुआ दूध (लीटर में)", "गाँव", {"morning": "सुबह", "evening": "शाम"}
        ),
        "zoo": Theme("चिड़ियाघर देखने आए लोग", "दिन", {"adults": "बड़े", "children": "बच्चे"}),
        "canteen": Theme(
            "एक प्लेट की कीमत, और कैंटीन में एक दिन में बिकी प्लेटें",
            "खाना",
            {"price": "कीमत (₹)", "sold": "प्लेटें"},
        ),
        "players": Theme("एक क्रिकेट क्लब के खिलाड़ी", "खिलाड़ी", {"matches": "मैच", "runs": "रन"}),
        "fields": Theme("एक किसान के खेतों का गेहूँ", "खेत", {"acres": "एकड़", "quintals": "क्विंटल"}),
        "packs": Theme("फ़ोन के डेटा पैक", "पैक", {"gb": "डेटा (GB)", "price": "कीमत (₹)"}),
        "buses": Theme(
            "एक दिन में शहर की बसों के चक्कर और यात्री", "रूट", {"trips": "चक्कर", "passengers": "यात्री"}
        ),
        "members": Theme("गाँवों की लाइब्रेरियों के सदस्य", "गाँव", {"before": "2024", "after": "2025"}),
        "commuters": Theme("बस रूटों पर रोज़ के यात्री", "रूट", {"before": "2024", "after": "2025"}),
        "stall": Theme(
            "एक स्टॉल पर बिकी चीज़ें (एक चीज़ की लागत और कीमत रुपये में)",
            "चीज़",
            {"cost": "लागत", "price": "कीमत", "sold": "बिके"},
        ),
        "fruit": Theme(
            "एक स्टॉल पर बिके फल, किलो में (एक किलो की लागत और कीमत रुपये में)",
            "फल",
            {"cost": "लागत", "price": "कीमत", "sold": "बिके"},
        ),
    },
}

# The text alternative of a chart, each of its bars, and the separator of bars.
ALTERNATIVE = {"en": "Bar chart: {caption}. {bars}.", "hi": "बार चार्ट: {caption}। {bars}।"}
BAR = {"en": "{row}: {value}", "hi": "{row}: {value}"}
BETWEEN = {"en": "; ", "hi": "; "}
# An option that names two neighbouring rows.
SPAN = {"en": "{first} to {second}", "hi": "{first} से {second}"}
RATIO = {"en": "{first} : {second}", "hi": "{first} : {second}"}
