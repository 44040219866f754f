"""Attention checks and study preferences, in the English and Hindi of class 8.

The Hindi verb forms do not imply the reader's gender. The interest statements are in
`interest_statements.csv`.
"""

from __future__ import annotations

# Attention checks, which ask for a certain answer and are not scored.
INSTRUCTED: tuple[tuple[int, dict[str, str]], ...] = (
    (
        4,
        {
            "en": "A quick check that every line gets read: choose “Like it” here.",
            "hi": "एक छोटी-सी जाँच कि हर लाइन पढ़ी जा रही है: यहाँ “पसंद” चुनिए।",
        },
    ),
    (
        2,
        {
            "en": "One more quick check: choose “Not for me” here.",
            "hi": "ऐसी ही एक और छोटी-सी जाँच: यहाँ “मेरे लिए नहीं” चुनिए।",
        },
    ),
)
# The number of statements before the first attention check; the second is in the middle of stage 2.
INSTRUCTED_AFTER = 20

# Keyed 1: agreeing indicates the second word of the scale's name; keyed -1: the first.
PREFERENCE_STATEMENTS: dict[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "alone_group": (
        (
            1,
            {
                "en": "I like to go through a new topic together with classmates.",
                "hi": "मुझे नया टॉपिक क्लास के साथियों के साथ मिलकर पढ़ना पसंद है।",
            },
        ),
        (
            -1,
            {
                "en": "When I have to learn something difficult, I prefer to sit by myself.",
                "hi": "जब कुछ मुश्किल सीखना हो, तो मुझे अकेले बैठना ज़्यादा पसंद है।",
            },
        ),
    ),
    "doing_reading": (
        (
            -1,
            {
                "en": "I like to try a new thing out before I read about it.",
                "hi": "किसी नई चीज़ के बारे में पढ़ने से पहले मुझे उसे आज़माकर देखना पसंद है।",
            },
        ),
        (
            1,
            {
                "en": "Before I use something new, I like to read how it works.",
                "hi": "कोई नई चीज़ इस्तेमाल करने से पहले मुझे यह पढ़ना पसंद है कि वह कैसे काम करती है।",
            },
        ),
    ),
    "planned_flexible": (
        (
            1,
            {
                "en": "I like to decide each day what I will study that day.",
                "hi": "मुझे हर दिन यह तय करना पसंद है कि उस दिन क्या पढ़ना है।",
            },
        ),
        (
            -1,
            {
                "en": "Before exams I like to make a timetable and follow it.",
                "hi": "परीक्षा से पहले मुझे टाइमटेबल बनाना और उस पर चलना पसंद है।",
            },
        ),
    ),
    "online_classroom": (
        (
            -1,
            {
                "en": "I like video lessons that I can stop and play again.",
                "hi": "मुझे ऐसे वीडियो पाठ पसंद हैं जिन्हें रोका और दोबारा चलाया जा सके।",
            },
        ),
        (
            1,
            {
                "en": "I like to have the teacher in the same room when I learn.",
                "hi": "सीखते समय मुझे टीचर का उसी कमरे में होना पसंद है।",
            },
        ),
    ),
}
