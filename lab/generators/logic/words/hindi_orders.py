"""Verbal logic in Hindi: things in an order, such as heavier, earlier or further left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lab.generators.logic.scenes import Scene


@dataclass(frozen=True, slots=True)
class Noun:
    """A masculine noun, which changes before a postposition. Feminine nouns are plain strings."""

    direct: str
    oblique: str

    def __str__(self) -> str:
        return self.direct


_COLOURS = (
    *("लाल/लाल/लाल", "नीला/नीले/नीली", "हरा/हरे/हरी", "पीला/पीले/पीली"),
    *("सफ़ेद/सफ़ेद/सफ़ेद", "काला/काले/काली", "नारंगी/नारंगी/नारंगी"),
)
_OFFICES = (
    *("बैंक", "क्लिनिक", "वकील का दफ़्तर/वकील के दफ़्तर", "संगीत स्कूल"),
    *("जिम", "टेलर की दुकान", "डांस स्कूल"),
)
_BUILDINGS = ("बैंक", "पुस्तकालय", "डाकघर", "क्लिनिक", "स्कूल", "म्यूज़ियम", "टाउन हॉल")
_SHOPS = ("चाय", "किताबों", "खिलौनों", "जूतों", "फूलों", "मिठाई", "कपड़ों")
_LESSONS = ("गणित", "चित्रकला", "संगीत", "विज्ञान", "इतिहास", "अंग्रेज़ी", "कंप्यूटर")
_TOWNS = ("पुणे", "नागपुर", "सूरत", "इंदौर", "पटना", "कोच्चि", "मैसूरु")
_FIBRES = ("सूत", "जूट", "नायलॉन", "रेशम", "प्लास्टिक", "चमड़े", "ऊन")
# A denial stands before the verb.
_VERB = re.compile("(?:निकलती है|है|उड़ी|पहुँची)।$")


def _all(template: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(template.format(name) for name in names)


def _feminine(noun: str) -> tuple[str, ...]:
    return tuple(f"{colour.split('/')[2]} {noun}" for colour in _COLOURS)


def _masculine(direct: str, oblique: str) -> tuple[Noun, ...]:
    colours = (colour.split("/") for colour in _COLOURS)
    return tuple(Noun(f"{one} {direct}", f"{other} {oblique}") for one, other, _ in colours)


def _order(
    intro: str,
    things: tuple[Noun, ...] | tuple[str, ...],
    sentences: dict[str, str],
    questions: dict[str, str],
) -> Scene:
    """Return a scene with denials too; those of both ends only where there are places."""
    ends = ("first", "last") if "just_before" in sentences else ()
    denied = {
        f"not_{name}": _VERB.sub(r"नहीं \g<0>", sentences[name])
        for name in ("before", "after", *ends)
    }
    return Scene(intro, things, sentences | denied, questions)


ORDERS = {
    "kites": _order(
        "{count} पतंगें उड़ीं, हर एक अलग ऊँचाई पर।",
        _feminine("पतंग"),
        {
            "before": "{0}, {1} से ऊपर उड़ी।",
            "after": "{0}, {1} से नीचे उड़ी।",
            "first": "{0} सबसे ऊपर उड़ी।",
            "last": "{0} सबसे नीचे उड़ी।",
        },
        {
            "first": "कौन-सी पतंग सबसे ऊपर उड़ी?",
            "second": "कौन-सी पतंग ऊपर से दूसरे नंबर पर उड़ी?",
            "second_last": "कौन-सी पतंग नीचे से दूसरे नंबर पर उड़ी?",
            "last": "कौन-सी पतंग सबसे नीचे उड़ी?",
        },
    ),
    "boxes": _order(
        "{count} डिब्बे हैं और हर डिब्बे का वज़न अलग है।",
        _masculine("डिब्बा", "डिब्बे"),
        {
            "before": "{0}, {1.oblique} से भारी है।",
            "after": "{0}, {1.oblique} से हल्का है।",
            "first": "{0} सबसे भारी है।",
            "last": "{0} सबसे हल्का है।",
        },
        {
            "first": "कौन-सा डिब्बा सबसे भारी है?",
            "second": "कौन-सा डिब्बा दूसरा सबसे भारी है?",
            "second_last": "कौन-सा डिब्बा दूसरा सबसे हल्का है?",
            "last": "कौन-सा डिब्बा सबसे हल्का है?",
        },
    ),
    "ropes": _order(
        "{count} रस्सियाँ हैं और हर रस्सी की लंबाई अलग है।",
        _all("{} की रस्सी", _FIBRES),
        {
            "before": "{0}, {1} से लंबी है।",
            "after": "{0}, {1} से छोटी है।",
            "first": "{0} सबसे लंबी है।",
            "last": "{0} सबसे छोटी है।",
        },
        {
            "first": "कौन-सी रस्सी सबसे लंबी है?",
            "second": "कौन-सी रस्सी दूसरी सबसे लंबी है?",
            "second_last": "कौन-सी रस्सी दूसरी सबसे छोटी है?",
            "last": "कौन-सी रस्सी सबसे छोटी है?",
        },
    ),
    "bags": _order(
        "{count} बैग हैं और हर बैग की कीमत अलग है।",
        _masculine("बैग", "बैग"),
        {
            "before": "{0}, {1.oblique} से महँगा है।",
            "after": "{0}, {1.oblique} से सस्ता है।",
            "first": "{0} सबसे महँगा है।",
            "last": "{0} सबसे सस्ता है।",
        },
        {
            "first": "कौन-सा बैग सबसे महँगा है?",
            "second": "कौन-सा बैग दूसरा सबसे महँगा है?",
            "second_last": "कौन-सा बैग दूसरा सबसे सस्ता है?",
            "last": "कौन-सा बैग सबसे सस्ता है?",
        },
    ),
    "buildings": _order(
        "{count} इमारतें हैं और हर इमारत अलग साल में बनी है।",
        _BUILDINGS,
        {
            "before": "{0}, {1} से पुराना है।",
            "after": "{0}, {1} से नया है।",
            "first": "{0} सबसे पुराना है।",
            "last": "{0} सबसे नया है।",
        },
        {
            "first": "कौन-सी इमारत सबसे पुरानी है?",
            "second": "कौन-सी इमारत दूसरी सबसे पुरानी है?",
            "second_last": "कौन-सी इमारत दूसरी सबसे नई है?",
            "last": "कौन-सी इमारत सबसे नई है?",
        },
    ),
    "buses": _order(
        "{count} बसें निकलती हैं, हर एक अलग समय पर।",
        _all("{} वाली बस", _TOWNS),
        {
            "before": "{0}, {1} से पहले निकलती है।",
            "after": "{0}, {1} के बाद निकलती है।",
            "first": "{0} सबसे पहले निकलती है।",
            "last": "{0} सबसे आखिर में निकलती है।",
        },
        {
            "first": "कौन-सी बस सबसे पहले निकलती है?",
            "second": "कौन-सी बस दूसरे नंबर पर निकलती है?",
            "second_last": "कौन-सी बस आखिर से दूसरे नंबर पर निकलती है?",
            "last": "कौन-सी बस सबसे आखिर में निकलती है?",
        },
    ),
    "race": _order(
        "एक रेस में {count} कारें दौड़ीं। कोई भी दो कारें फ़िनिश लाइन पर एक साथ नहीं पहुँचीं।",
        _feminine("कार"),
        {
            "before": "{0}, {1} से पहले पहुँची।",
            "after": "{0}, {1} के बाद पहुँची।",
            "just_before": "{0}, {1} से ठीक पहले पहुँची।",
            "just_after": "{0}, {1} के ठीक बाद पहुँची।",
            "between": "{0} का नंबर कहीं {1} और {2} के बीच में आया।",
            "first": "{0} सबसे पहले पहुँची।",
            "last": "{0} सबसे आखिर में पहुँची।",
        },
        {
            "first": "कौन-सी कार सबसे पहले पहुँची?",
            "second": "कौन-सी कार दूसरे नंबर पर पहुँची?",
            "middle": "कौन-सी कार तीसरे नंबर पर पहुँची?",
            "second_last": "कौन-सी कार आखिर से दूसरे नंबर पर पहुँची?",
            "last": "कौन-सी कार सबसे आखिर में पहुँची?",
        },
    ),
    "shops": _order(
        "आपके सामने {count} दुकानें एक कतार में हैं।",
        _all("{} की दुकान", _SHOPS),
        {
            "before": "{0}, {1} के बाईं ओर है।",
            "after": "{0}, {1} के दाईं ओर है।",
            "just_before": "{0}, {1} के ठीक बाईं ओर है।",
            "just_after": "{0}, {1} के ठीक दाईं ओर है।",
            "between": "{0} कहीं {1} और {2} के बीच में है।",
            "first": "{0} बाएँ सिरे पर है।",
            "last": "{0} दाएँ सिरे पर है।",
        },
        {
            "first": "कौन-सी दुकान बाएँ सिरे पर है?",
            "second": "कौन-सी दुकान बाईं ओर से दूसरी है?",
            "middle": "कौन-सी दुकान ठीक बीच में है?",
            "second_last": "कौन-सी दुकान दाईं ओर से दूसरी है?",
            "last": "कौन-सी दुकान दाएँ सिरे पर है?",
        },
    ),
    "floors": _order(
        "एक इमारत में {count} मंज़िलें हैं और हर मंज़िल पर एक दुकान या दफ़्तर है।",
        tuple(Noun(name.split("/")[0], name.split("/")[-1]) for name in _OFFICES),
        {
            "before": "{0}, {1.oblique} से ऊँची मंज़िल पर है।",
            "after": "{0}, {1.oblique} से नीची मंज़िल पर है।",
            "just_before": "{0}, {1.oblique} से ठीक एक मंज़िल ऊपर है।",
            "just_after": "{0}, {1.oblique} से ठीक एक मंज़िल नीचे है।",
            "between": "{0} कहीं {1.oblique} और {2.oblique} के बीच में है।",
            "first": "{0} सबसे ऊपर की मंज़िल पर है।",
            "last": "{0} सबसे नीचे की मंज़िल पर है।",
        },
        {
            "first": "सबसे ऊपर की मंज़िल पर क्या है?",
            "second": "ऊपर से दूसरी मंज़िल पर क्या है?",
            "middle": "ठीक बीच की मंज़िल पर क्या है?",
            "second_last": "सबसे नीचे की मंज़िल से एक मंज़िल ऊपर क्या है?",
            "last": "सबसे नीचे की मंज़िल पर क्या है?",
        },
    ),
    "lessons": _order(
        "एक क्लास में एक के बाद एक {count} पीरियड हैं।",
        tuple(Noun(f"{lesson} का पीरियड", f"{lesson} के पीरियड") for lesson in _LESSONS),
        {
            "before": "{0}, {1.oblique} से पहले है।",
            "after": "{0}, {1.oblique} के बाद है।",
            "just_before": "{0}, {1.oblique} से ठीक पहले है।",
            "just_after": "{0}, {1.oblique} के ठीक बाद है।",
            "between": "{0} कहीं {1.oblique} और {2.oblique} के बीच में है।",
            "first": "{0} सबसे पहले है।",
            "last": "{0} सबसे आखिर में है।",
        },
        {
            "first": "कौन-सा पीरियड सबसे पहले है?",
            "second": "कौन-सा पीरियड दूसरे नंबर पर है?",
            "middle": "कौन-सा पीरियड तीसरे नंबर पर है?",
            "second_last": "कौन-सा पीरियड आखिर से दूसरे नंबर पर है?",
            "last": "कौन-सा पीरियड सबसे आखिर में है?",
        },
    ),
}
