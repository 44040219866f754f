"""The other texts of a bank: answers to statements, section titles and introductions."""

from __future__ import annotations

INTEREST_ANSWERS: tuple[dict[str, str], ...] = (
    {"en": "Hate it", "hi": "बिल्कुल पसंद नहीं"},
    {"en": "Not for me", "hi": "मेरे लिए नहीं"},
    {"en": "Not sure", "hi": "कह नहीं सकते"},
    {"en": "Like it", "hi": "पसंद"},
    {"en": "Love it", "hi": "बहुत पसंद"},
)
# They answer "How far do you agree?" of a page, and need no grammar to do so.
PREFERENCE_ANSWERS: tuple[dict[str, str], ...] = (
    {"en": "Not at all", "hi": "बिल्कुल नहीं"},
    {"en": "Not really", "hi": "ज़्यादा नहीं"},
    {"en": "Partly", "hi": "कुछ-कुछ"},
    {"en": "Mostly", "hi": "काफ़ी हद तक"},
    {"en": "Fully", "hi": "पूरी तरह"},
)
DONT_KNOW = {"en": "I don't know", "hi": "मुझे नहीं पता"}

SECTION_TITLES: dict[str, dict[str, str]] = {
    "interests": {"en": "What you enjoy", "hi": "आपको क्या अच्छा लगता है"},
    "fields": {"en": "A closer look", "hi": "थोड़ा और करीब से"},
    "aptitude": {"en": "Puzzles", "hi": "पहेलियाँ"},
    "preferences": {"en": "How you like to study", "hi": "आपको कैसे पढ़ना पसंद है"},
}
SECTION_INTROS: dict[str, dict[str, list[str]]] = {
    "interests": {
        "en": [
            "Here are things that people do at home, at school and at work. Say how much you'd "
            "like to do each one.",
            "There are no right or wrong answers. Don't think about pay or marks, or whether you "
            "can do it yet. Just ask yourself: would I enjoy it?",
        ],
        "hi": [
            "आगे कुछ काम हैं जो लोग घर, स्कूल या नौकरी में करते हैं। बताइए कि हर काम करना "
            "आपको कितना पसंद होगा।",
            "यहाँ कोई जवाब सही या गलत नहीं है। पैसों या नंबरों के बारे में मत सोचिए, और यह भी मत "
            "सोचिए कि काम अभी आता है या नहीं। बस खुद से पूछिए: क्या इसमें मज़ा आएगा?",
        ],
    },
    "fields": {
        "en": [
            "Here are some more things like these, picked from your answers so far.",
            "Once you go on, you can't change your earlier answers. To change one, go back now.",
        ],
        "hi": [
            "यहाँ ऐसे ही कुछ और काम हैं, जो अब तक के आपके जवाबों से चुने गए हैं।",
            "आगे बढ़ने के बाद पहले के जवाब नहीं बदले जा सकेंगे। कोई जवाब बदलना हो, तो अभी पीछे जाइए।",
        ],
    },
    "aptitude": {
        "en": [
            "There are six kinds of puzzles: numbers, shapes, letters, sentences, rupees, and "
            "tables or charts. Before the first of each kind you see one with its answer.",
            "There's no timer. Right answers bring harder puzzles, so nearly everyone finds some "
            "of them hard. Use pencil and paper if you like; you don't need a calculator.",
            "No idea? Choose “I don't know” and go on. You can't go back to a puzzle that you've "
            "answered.",
        ],
        "hi": [
            "पहेलियाँ छह तरह की हैं: संख्याओं, आकृतियों, अक्षरों, वाक्यों, रुपयों, और तालिकाओं या "
            "चार्ट की। हर तरह की पहली पहेली से पहले एक हल की हुई पहेली दिखेगी।",
            "समय की कोई सीमा नहीं है। सही जवाब देने पर पहेलियाँ मुश्किल होती जाती हैं, इसलिए लगभग सबको "
            "कुछ मुश्किल लगती हैं। चाहें तो कागज़-पेंसिल लीजिए; कैलकुलेटर की ज़रूरत नहीं है।",
            "कुछ समझ में न आए, तो “मुझे नहीं पता” चुनिए और आगे बढ़िए। जिस पहेली का जवाब दे दिया, "
            "उस पर वापस नहीं जाया जा सकता।",
        ],
    },
    "preferences": {
        "en": [
            "The last part is about how you like to study. Say how far you agree with each "
            "sentence.",
            "This isn't about what you can do: one way of studying is as good as another.",
        ],
        "hi": [
            "आखिरी भाग इस बारे में है कि आपको कैसे पढ़ना पसंद है। बताइए कि हर वाक्य से आप कहाँ तक सहमत हैं।",
            "यह इस बारे में नहीं है कि आपको क्या आता है: पढ़ने का हर तरीका अपनी जगह अच्छा है।",
        ],
    },
}
