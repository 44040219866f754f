"""The words for scores that students read, per language.

They describe likings and the present state, never the person.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interest:
    """A Holland type in plain words: its title, and a description."""

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
            "Work you can touch: tools, machines, plants, materials.",
        ),
        "investigative": Interest(
            "Finding out",
            "Asking why, testing ideas, working things out.",
        ),
        "artistic": Interest(
            "Creating",
            "Making something of your own with words, pictures, sound or cloth.",
        ),
        "social": Interest(
            "Helping and teaching",
            "Explaining, caring, listening, helping people along.",
        ),
        "enterprising": Interest(
            "Leading and selling",
            "Starting things, winning people over, running a team.",
        ),
        "conventional": Interest(
            "Organising",
            "Keeping numbers, records and plans in order.",
        ),
    },
    "hi": {
        "realistic": Interest(
            "बनाना और ठीक करना",
            "ऐसा काम जिसे छूकर देखा जा सके: औज़ार, मशीनें, पौधे, सामान।",
        ),
        "investigative": Interest(
            "पता लगाना",
            "“क्यों” पूछना, विचार परखना, बात की तह तक जाना।",
        ),
        "artistic": Interest(
            "कुछ नया बनाना",
            "शब्दों, चित्रों, आवाज़ या कपड़े से अपने मन का कुछ बनाना।",
        ),
        "social": Interest(
            "मदद करना और सिखाना",
            "समझाना, देखभाल करना, सुनना, लोगों का साथ देना।",
        ),
        "enterprising": Interest(
            "टीम चलाना और बेचना",
            "काम शुरू करना, लोगों को राज़ी करना, टीम चलाना।",
        ),
        "conventional": Interest(
            "सब कुछ तरतीब से रखना",
            "संख्याओं, रिकॉर्ड और योजनाओं को तरतीब से रखना।",
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
        "planned_flexible": ("प्लान बनाकर पढ़ना", "हर दिन नए सिरे से तय करना"),
        "online_classroom": ("ऑनलाइन सीखना", "क्लासरूम में सीखना"),
    },
}

# The lowest is worded more gently than the highest: so few puzzles leave a wide range below it too.
BAND_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "lowest": "below most",
        "lower": "a bit below most",
        "middle": "about the same as most",
        "higher": "a bit above most",
        "highest": "well above most",
    },
    "hi": {
        "lowest": "ज़्यादातर से नीचे",
        "lower": "ज़्यादातर से थोड़ा नीचे",
        "middle": "ठीक-ठाक, ज़्यादातर के बराबर",
        "higher": "ज़्यादातर से थोड़ा ऊपर",
        "highest": "ज़्यादातर से काफ़ी ऊपर",
    },
}


def known_language(language: str) -> str:
    """Return the language of these words that matches the requested one, or English."""
    base = language.lower().split("-")[0]
    return base if base in INTEREST_WORDS else "en"


# The most useful first.
STUDY_ADVICE: dict[str, tuple[str, ...]] = {
    "en": (
        "Close the book and ask yourself what you just read. Then look. It helps more than reading "
        "twice.",
        "Come back to a topic after a day, a week and a month, for a few minutes each time.",
        "Mix different kinds of problems, so that you also practise choosing the method.",
        "Explain it in your own words, to somebody or out loud. Where you get stuck, read again.",
    ),
    "hi": (
        "किताब बंद करके खुद से पूछिए कि अभी क्या पढ़ा। फिर देखिए। यह दो बार पढ़ने से ज़्यादा काम आता है।",
        "हर टॉपिक को एक दिन, एक हफ़्ते और एक महीने बाद कुछ मिनट फिर देखिए।",
        "अलग-अलग तरह के सवाल मिलाकर कीजिए। इससे सही तरीका चुनने का अभ्यास भी होता है।",
        "अपने शब्दों में समझाइए, किसी को या बोलकर खुद को। जहाँ अटकें, वहीं फिर से पढ़िए।",
    ),
}

# A line for students who lean to this end of a study preference.
LEANING_ADVICE: dict[str, dict[str, str]] = {
    "en": {
        "alone": "Keep your quiet hours. Once a week, explain a topic to somebody: it shows what "
        "is still missing.",
        "group": "Try the questions by yourself before you meet. Then compare your answers.",
        "doing": "After trying something out, write in a line or two why it worked.",
        "reading": "After each part, close the book and try one problem before you read on.",
        "planned": "Leave one evening a week free in your plan, for what took longer.",
        "flexible": "Fix the same half hour every day. What you study in it, you can decide then.",
        "online": "Put other apps away. Stop the video often and say the next step yourself.",
        "classroom": "Go through your notes the same day, and take one question to the next class.",
    },
    "hi": {
        "alone": "अकेले पढ़ने का समय बनाए रखिए। हफ़्ते में एक बार कोई टॉपिक किसी को समझाइए: पता चलेगा कि "
        "क्या बाकी है।",
        "group": "मिलने से पहले सवाल खुद हल कीजिए। फिर सबके साथ जवाब मिलाइए।",
        "doing": "कुछ करके देखने के बाद एक-दो लाइन में लिखिए कि वैसा क्यों हुआ।",
        "reading": "हर हिस्से के बाद किताब बंद कीजिए, और आगे पढ़ने से पहले एक सवाल हल कीजिए।",
        "planned": "प्लान में हफ़्ते की एक शाम खाली रखिए, उसके लिए जिसमें ज़्यादा समय लगा।",
        "flexible": "रोज़ एक ही आधा घंटा पक्का रखिए। उसमें क्या पढ़ना है, यह तभी तय कीजिए।",
        "online": "बाकी ऐप बंद रखिए। वीडियो बार-बार रोकिए और अगला कदम खुद बताइए।",
        "classroom": "उसी दिन नोट्स दोहराइए, और अगली क्लास के लिए एक सवाल तैयार रखिए।",
    },
}
