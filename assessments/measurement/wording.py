"""The words for scores that students read, per language.

They describe likings and the present state, never the person.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interest:
    """A Holland type in plain words: its title, a description, and the object of "You liked …".

    `oblique` is the activity before a postposition, in languages where that differs.
    """

    label: str
    text: str
    activity: str
    oblique: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """A kind of puzzle: its title and its content."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Skill:
    """A facet of aptitude: its puzzles, its use in a course, and how to prepare.

    `puzzles` and `work` are phrases for the middle of a sentence.
    """

    puzzles: str
    work: str
    prepare: str


INTEREST_WORDS: dict[str, dict[str, Interest]] = {
    "en": {
        "realistic": Interest(
            "Making and fixing",
            "Work you can touch: tools, machines, plants, materials, and seeing the thing done.",
            "practical work with your hands and with tools",
        ),
        "investigative": Interest(
            "Finding out",
            "Asking why, testing ideas, and staying with a problem until it makes sense.",
            "finding out how and why things work",
        ),
        "artistic": Interest(
            "Creating",
            "Making something of your own with words, pictures, sound, cloth or colour.",
            "creating things of your own with words, pictures or sound",
        ),
        "social": Interest(
            "Helping and teaching",
            "Being with people: explaining, caring, listening and helping them along.",
            "helping people and explaining things to them",
        ),
        "enterprising": Interest(
            "Leading and selling",
            "Starting things, winning people over, taking decisions and running a team.",
            "leading people, winning them over and running things",
        ),
        "conventional": Interest(
            "Organising",
            "Keeping numbers, records and plans complete, correct and in order.",
            "keeping records, numbers and plans in order",
        ),
    },
    "hi": {
        "realistic": Interest(
            "बनाना और ठीक करना",
            "ऐसा काम जिसे छूकर देखा जा सके: औज़ार, मशीनें, पौधे, सामान, और काम पूरा होते देखना।",
            "हाथों और औज़ारों से काम करना",
            "हाथों और औज़ारों से काम करने",
        ),
        "investigative": Interest(
            "पता लगाना",
            "“क्यों” पूछना, विचारों को परखना, और सवाल पर तब तक सोचना जब तक बात समझ में न आए।",
            "चीज़ों के “क्यों” और “कैसे” का पता लगाना",
            "चीज़ों के “क्यों” और “कैसे” का पता लगाने",
        ),
        "artistic": Interest(
            "कुछ नया रचना",
            "शब्दों, चित्रों, आवाज़, कपड़े या रंगों से अपने मन का कुछ बनाना।",
            "शब्दों, चित्रों या आवाज़ से अपने मन का कुछ बनाना",
            "शब्दों, चित्रों या आवाज़ से अपने मन का कुछ बनाने",
        ),
        "social": Interest(
            "मदद करना और सिखाना",
            "लोगों के साथ रहना: समझाना, देखभाल करना, सुनना और आगे बढ़ने में साथ देना।",
            "लोगों की मदद करना और उन्हें बातें समझाना",
            "लोगों की मदद करने और उन्हें बातें समझाने",
        ),
        "enterprising": Interest(
            "अगुवाई करना और बेचना",
            "काम शुरू करना, लोगों को अपनी बात पर राज़ी करना, फ़ैसले लेना और टीम चलाना।",
            "लोगों की अगुवाई करना, उन्हें राज़ी करना और काम सँभालना",
            "लोगों की अगुवाई करने, उन्हें राज़ी करने और काम सँभालने",
        ),
        "conventional": Interest(
            "तरतीब से रखना",
            "संख्याओं, रिकॉर्ड और योजनाओं को पूरा, सही और तरतीब से रखना।",
            "रिकॉर्ड, संख्याओं और योजनाओं को तरतीब से रखना",
            "रिकॉर्ड, संख्याओं और योजनाओं को तरतीब से रखने",
        ),
    },
}

PREFERENCE_WORDS: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "alone_group": ("studying alone", "studying with others"),
        "doing_reading": ("trying things out first", "reading about things first"),
        "planned_flexible": ("following a plan", "deciding day by day"),
        "online_classroom": ("learning online", "learning in a classroom"),
    },
    "hi": {
        "alone_group": ("अकेले पढ़ना", "दूसरों के साथ पढ़ना"),
        "doing_reading": ("पहले करके देखना", "पहले पढ़कर समझना"),
        "planned_flexible": ("योजना पर चलना", "रोज़ का रोज़ तय करना"),
        "online_classroom": ("ऑनलाइन सीखना", "क्लासरूम में सीखना"),
    },
}

FACET_WORDS: dict[str, dict[str, Facet]] = {
    "en": {
        "overall": Facet("Overall reasoning", "All puzzles together."),
        "numerical": Facet("Numbers", "Problems in rupees, tables and charts."),
        "abstract": Facet("Patterns", "Rows of numbers and squares of shapes."),
        "verbal": Facet("Letters and logic", "Groups of letters, and what follows from sentences."),
    },
    "hi": {
        "overall": Facet("कुल मिलाकर तर्क", "सारी पहेलियाँ एक साथ।"),
        "numerical": Facet("संख्याएँ", "रुपयों, तालिकाओं और चार्ट के सवाल।"),
        "abstract": Facet("पैटर्न", "संख्याओं की पंक्तियाँ और आकृतियों वाले चौकोर खाने।"),
        "verbal": Facet("अक्षर और तर्क", "अक्षरों के समूह, और वाक्यों से पक्की निकलने वाली बातें।"),
    },
}

BAND_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "lowest": "clearly below the middle",
        "lower": "a little below the middle",
        "middle": "around the middle",
        "higher": "a little above the middle",
        "highest": "clearly above the middle",
    },
    "hi": {
        "lowest": "बीच से काफ़ी नीचे",
        "lower": "बीच से थोड़ा नीचे",
        "middle": "बीच के आसपास",
        "higher": "बीच से थोड़ा ऊपर",
        "highest": "बीच से काफ़ी ऊपर",
    },
}


def known_language(language: str) -> str:
    """Return the language of these words that matches the requested one, or English."""
    base = language.lower().split("-")[0]
    return base if base in INTEREST_WORDS else "en"
