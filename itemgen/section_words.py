"""The other texts of a bank: answers to statements, section titles and introductions."""

from __future__ import annotations

INTEREST_ANSWERS: tuple[dict[str, str], ...] = (
    {"en": "Strongly dislike", "hi": "बहुत नापसंद"},
    {"en": "Dislike", "hi": "नापसंद"},
    {"en": "In between", "hi": "बीच में"},
    {"en": "Like", "hi": "पसंद"},
    {"en": "Strongly like", "hi": "बहुत पसंद"},
)
PREFERENCE_ANSWERS: tuple[dict[str, str], ...] = (
    {"en": "Strongly disagree", "hi": "बिल्कुल असहमत"},
    {"en": "Disagree", "hi": "असहमत"},
    {"en": "In between", "hi": "बीच में"},
    {"en": "Agree", "hi": "सहमत"},
    {"en": "Strongly agree", "hi": "बिल्कुल सहमत"},
)
DONT_KNOW = {"en": "I don't know", "hi": "मुझे नहीं पता"}

SECTION_TITLES: dict[str, dict[str, str]] = {
    "interests": {"en": "What you like to do", "hi": "आपको क्या करना पसंद है"},
    "fields": {"en": "A closer look", "hi": "थोड़ा और करीब से"},
    "aptitude": {"en": "Thinking puzzles", "hi": "दिमागी पहेलियाँ"},
    "preferences": {"en": "Study preferences", "hi": "पढ़ाई की पसंद"},
}
SECTION_INTROS: dict[str, dict[str, list[str]]] = {
    "interests": {
        "en": [
            "You will read about things that people do at home, at school and at work. "
            "Say how much you would like to do each of them.",
            "There are no right or wrong answers. Do not think about pay or marks, or whether "
            "you can do it already: only about how much you would like doing it.",
        ],
        "hi": [
            "आगे ऐसे काम दिए हैं जो लोग घर पर, स्कूल में और नौकरी में करते हैं। "
            "बताइए कि हर काम करना आपको कितना पसंद होगा।",
            "यहाँ कोई जवाब सही या गलत नहीं है। कमाई या नंबरों के बारे में मत सोचिए, और यह भी नहीं "
            "कि वह काम आपको अभी आता है या नहीं: सिर्फ़ यह सोचिए कि उसे करना आपको कितना पसंद होगा।",
        ],
    },
    "fields": {
        "en": [
            "Here are a few more things of this kind, chosen by your answers so far.",
            "Once you go on, you can no longer change the answers before this page. If you want to "
            "change one, go back now.",
        ],
        "hi": [
            "यहाँ ऐसे ही कुछ और काम हैं, जो अब तक के आपके जवाबों के हिसाब से चुने गए हैं।",
            "आगे बढ़ने के बाद इससे पहले के जवाब बदले नहीं जा सकेंगे। कोई जवाब बदलना हो, तो अभी पीछे जाइए।",
        ],
    },
    "aptitude": {
        "en": [
            "There are six kinds of puzzles: with numbers, shapes, letters, sentences, rupees, "
            "and tables or charts. Choose the one answer that fits.",
            "There is no clock. When you answer well, harder puzzles follow, so nearly everyone "
            "finds some of them hard. Paper and pencil are fine, and you need no calculator.",
            "If you have no idea, choose “I don't know” and go on. You cannot go back to a "
            "puzzle that you have answered.",
        ],
        "hi": [
            "पहेलियाँ छह तरह की हैं: संख्याओं, आकृतियों, अक्षरों, वाक्यों, रुपयों, और तालिकाओं या "
            "चार्ट की। वह एक जवाब चुनिए जो ठीक बैठता है।",
            "समय की कोई सीमा नहीं है। अच्छे जवाबों के बाद और मुश्किल पहेलियाँ आती हैं, इसलिए लगभग सबको "
            "कुछ पहेलियाँ मुश्किल लगती हैं। चाहें तो कागज़ और पेंसिल साथ रखिए। कैलकुलेटर की ज़रूरत नहीं है।",
            "अगर कुछ समझ में न आए, तो “मुझे नहीं पता” चुनिए और आगे बढ़िए। जिस पहेली का जवाब दे दिया, "
            "उस पर वापस नहीं जाया जा सकता।",
        ],
    },
    "preferences": {
        "en": [
            "The last part is about how you like to study. Say how far you agree with each "
            "sentence.",
            "These are preferences, not abilities: one way is as good as the other.",
        ],
        "hi": [
            "आखिरी भाग इस बारे में है कि आपको किस तरह पढ़ना पसंद है। बताइए कि आप हर वाक्य से कहाँ तक सहमत हैं।",
            "ये पसंद की बातें हैं, योग्यता की नहीं: एक तरीका उतना ही अच्छा है जितना दूसरा।",
        ],
    },
}
