"""Verbal logic in Hindi: facts, kinds of things, and sentences of all scenes.

The wording avoids ambiguity. A quantifier is next to its noun ("लकड़ी का कोई भी डिब्बा"); a negation
applies to "कोई भी" or "कम से कम एक", never to "सभी"; and "दोनों एक साथ नहीं" leaves one of two. Kinds
are "ऐसी बसें", not "वही बसें", because "only those are new" would also say that all of them are new.
A comma separates a thing from the one it is compared with. All nouns are things, so that no verb
implies a person's gender.
"""

from __future__ import annotations

from dataclasses import dataclass

from lab.generators.logic.scenes import Scene, extended
from lab.generators.logic.words.hindi_orders import ORDERS

NUMBERS = {3: "तीन", 4: "चार", 5: "पाँच"}

_ASKED = {"must": "इनमें से कौन-सी बात ज़रूर सच है?", "cannot": "इनमें से कौन-सी बात सच नहीं हो सकती?"}
_OPTIONS = {"thing": "{0}", "unknown": "दी गई जानकारी से यह पता नहीं चल सकता।"}
_RULES = {
    "fact": "{0}।",
    "if": "अगर {0}, तो {1}।",
    "only_if": "{0.what} सिर्फ़ तभी {0.how}, जब {1.what} {1.if_so}।",
    "unless": "{0.what} तब तक {0.how}, जब तक {1.what} {1.if_not}।",
    "either": "या तो {0} या {1}, पर दोनों एक साथ नहीं।",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact in two parts; the second part also has a conditional and a negated form."""

    what: str
    how: str
    if_so: str
    if_not: str

    def __str__(self) -> str:
        return f"{self.what} {self.how}"


def _facts(intro: str, *facts: str) -> Scene:
    """Return a scene of facts such as "बत्ती/चालू", completed by "है" or "नहीं है"."""
    things = []
    for what, how in (fact.split("/") for fact in facts):
        if_so, if_not = f"{how} हो", f"{how} न हो"
        things += [Fact(what, f"{how} है", if_so, if_not), Fact(what, f"{how} नहीं है", if_not, if_so)]
    return Scene(intro, tuple(things), _RULES, {})


_FACTS = {
    "lamps": _facts(
        "बत्तियों वाले एक बोर्ड के बारे में ये सब बातें सच हैं।",
        *(f"{colour} बत्ती/चालू" for colour in ("लाल", "नीली", "हरी", "पीली", "सफ़ेद", "काली")),
    ),
    "market": _facts(
        "एक बाज़ार में आज ये सब बातें सच हैं।",
        *(f"{goods} की दुकान/खुली" for goods in ("चाय", "किताबों", "खिलौनों", "जूतों", "फूलों", "मिठाई")),
    ),
    "school": _facts(
        "एक स्कूल में आज ये सब बातें सच हैं।",
        "संगीत का कमरा/खुला",
        "झंडा/ऊपर",
        "प्रोजेक्टर/चालू",
        "खेल का मैदान/गीला",
        "नोटिस बोर्ड/भरा",
        "बस/लेट",
    ),
    "farm": _facts(
        "एक फ़ार्म पर आज ये सब बातें सच हैं।",
        "शेड पर/ताला",
        "ट्रैक्टर/बाहर",
        "रेडियो/चालू",
        "कुआँ/ढका",
        "ट्रक पर/सामान लदा",
        "रास्ता/सूखा",
    ),
    "machine": _facts(
        "एक मशीन के बारे में ये सब बातें सच हैं।",
        "मोटर/चालू",
        "हरी बत्ती/चालू",
        "ढक्कन/बंद",
        "बज़र/चालू",
        "काउंटर/शून्य पर",
        "ट्रे/भरी",
    ),
    "post": _facts(
        "एक डाकघर में आज ये सब बातें सच हैं।",
        "पहला काउंटर/खुला",
        "दूसरा काउंटर/खुला",
        "तीसरा काउंटर/खुला",
        "पैसों का काउंटर/खुला",
        "टिकटों का काउंटर/खुला",
        "पार्सल का काउंटर/खुला",
    ),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things: its form for each quantifier, and predicates (plural, one, negated)."""

    every: str
    any: str
    some: str
    one: str
    only: str
    are: str
    has: str
    has_not: str


_QUANTITIES = {
    "all": "{0.every} {1.are}।",
    "no": "{0.any} {1.has_not}।",
    "some": "{0.some} {1.are}।",
    "only": "{0.only} {1.are}।",
    "at_least": "{0.one} {1.has}।",
    "at_least_not": "{0.one} {1.has_not}।",
}


def _quantities(named: str) -> dict[str, str]:
    return {**_QUANTITIES, "is": f"{named} {{0.has}}।", "is_not": f"{named} {{0.has_not}}।"}


def _being(intro: str, one: str, many: str, such: str, named: str, *properties: str) -> Scene:
    """Return a scene of things that are or are not like this: "ऊँचा/ऊँचे", singular and plural.

    A property of several words precedes the quantifier, because "सिर्फ़ लकड़ी के डिब्बे" could also
    mean boxes of nothing but wood.
    """
    kinds = []
    for each in properties:
        how, how_many = each.split("/")
        if " " in how:
            every, some = f"{how_many} सभी {many}", f"{how_many} कुछ {many}"
            none, at_least = f"{how} कोई भी {one}", f"{how} कम से कम एक {one}"
            only = f"जो {many} {how_many} हैं, सिर्फ़ {such} {many} ही"
        else:
            every, some = f"सभी {how_many} {many}", f"कुछ {how_many} {many}"
            none, at_least = f"कोई भी {how} {one}", f"कम से कम एक {how} {one}"
            only = f"सिर्फ़ {how_many} {many} ही"
        said = f"{how_many} हैं", f"{how} है", f"{how} नहीं है"
        kinds.append(Kind(every, none, some, at_least, only, *said))
    return Scene(intro, tuple(kinds), _quantities(named), {})


def _having(intro: str, one: str, many: str, such: str, named: str, *properties: str) -> Scene:
    """Return a scene of things that have or do not have this: "कुएँ वाले/में कुआँ है/नहीं है".

    The things are in the oblique case, and the second part begins with its postposition.
    """
    kinds = []
    for each in properties:
        having, what, has, has_not = each.split("/")
        said = f"{what} {has}"
        kinds.append(
            Kind(
                f"{having} सभी {many}",
                f"{having} किसी भी {one}",
                f"{having} कुछ {many}",
                f"{having} कम से कम एक {one}",
                f"जिन {many} {said}, सिर्फ़ {such} {many}",
                said,
                said,
                f"{what} {has_not}",
            )
        )
    return Scene(intro, tuple(kinds), _quantities(named), {})


_SETS = {
    "store": _being(
        "एक स्टोर रूम में बहुत-से डिब्बे हैं।",
        *("डिब्बा", "डिब्बे", "ऐसे", "सातवाँ डिब्बा"),
        *("ऊँचा/ऊँचे", "लकड़ी का/लकड़ी के", "तालाबंद/तालाबंद"),
        *("रंगा हुआ/रंगे हुए", "धूल भरा/धूल भरे", "नंबर वाला/नंबर वाले"),
    ),
    "transport": _being(
        "एक शहर में बहुत-सी बसें हैं।",
        *("बस", "बसें", "ऐसी", "बस 12"),
        *("नीली/नीली", "इलेक्ट्रिक/इलेक्ट्रिक", "नई/नई"),
        *("लंबी/लंबी", "साफ़/साफ़", "भरी हुई/भरी हुई"),
    ),
    "cards": _being(
        "एक बैग में बहुत-से कार्ड हैं।",
        *("कार्ड", "कार्ड", "ऐसे", "पाँचवाँ कार्ड"),
        *("गोल/गोल", "नीला/नीले", "चमकीला/चमकीले"),
        *("नंबर वाला/नंबर वाले", "मोटा/मोटे", "फटा/फटे"),
    ),
    "villages": _having(
        "एक ज़िले में बहुत-से गाँव हैं।",
        *("गाँव", "गाँवों", "ऐसे", "नवगाँव"),
        "बैंक वाले/में बैंक/है/नहीं है",
        "बस स्टॉप वाले/में बस स्टॉप/है/नहीं है",
        "तालाब वाले/में तालाब/है/नहीं है",
        "डाकघर वाले/में डाकघर/है/नहीं है",
        "पार्क वाले/में पार्क/है/नहीं है",
        "बाज़ार वाले/में बाज़ार/है/नहीं है",
    ),
    "houses": _having(
        "एक गली में बहुत-से घर हैं।",
        *("घर", "घरों", "ऐसे", "घर 9"),
        "बगीचे वाले/में बगीचा/है/नहीं है",
        "कुएँ वाले/में कुआँ/है/नहीं है",
        "लाल छत वाले/की छत लाल/है/नहीं है",
        "नीले दरवाज़े वाले/का दरवाज़ा नीला/है/नहीं है",
        "झूले वाले/में झूला/है/नहीं है",
        "बालकनी वाले/में बालकनी/है/नहीं है",
    ),
    "sellers": _having(
        "एक कस्बे में बहुत-सी दुकानें हैं।",
        *("दुकान", "दुकानों", "ऐसी", "कोने की दुकान"),
        "चावल बेचने वाली/पर चावल/मिलता है/नहीं मिलता",
        "खिलौने बेचने वाली/पर खिलौने/मिलते हैं/नहीं मिलते",
        "जूते बेचने वाली/पर जूते/मिलते हैं/नहीं मिलते",
        "लैंप बेचने वाली/पर लैंप/मिलते हैं/नहीं मिलते",
        "किताबें बेचने वाली/पर किताबें/मिलती हैं/नहीं मिलतीं",
        "साबुन बेचने वाली/पर साबुन/मिलता है/नहीं मिलता",
    ),
}

SCENES = {
    **extended(ORDERS, sentences=_OPTIONS, questions=_ASKED),
    **extended(_FACTS | _SETS, questions=_ASKED),
}
