"""The texts of letter and number patterns, in every language."""

from __future__ import annotations

# Questions about a row, by the form of its signs.
NEXT = {
    "L": {"en": "Which letter comes next?", "hi": "इसके बाद कौन-सा अक्षर आएगा?"},
    "LL": {"en": "Which group of letters comes next?", "hi": "इसके बाद अक्षरों का कौन-सा समूह आएगा?"},
    "LN": {
        "en": "Which letter and number come next?",
        "hi": "इसके बाद कौन-सा अक्षर और कौन-सी संख्या आएगी?",
    },
    "LNL": {
        "en": "Which group of letters and numbers comes next?",
        "hi": "इसके बाद अक्षरों और संख्याओं का कौन-सा समूह आएगा?",
    },
}
# Questions about groups, by their content.
ALIKE = {
    "L": {
        "en": "These groups follow one rule. Which group below follows it too?",
        "hi": "अक्षरों के ये समूह एक ही नियम पर चलते हैं। नीचे कौन-सा समूह उसी नियम पर चलता है?",
    },
    "D": {
        "en": "In these numbers, the digits follow one rule. Which number below follows it too?",
        "hi": "इन संख्याओं में अंक एक ही नियम पर चलते हैं। नीचे कौन-सी संख्या उसी नियम पर चलती है?",
    },
    "N": {
        "en": "In these groups, the letters and the number follow one rule. "
        "Which group below follows it too?",
        "hi": "इन समूहों में अक्षर और संख्या एक ही नियम पर चलते हैं। नीचे कौन-सा समूह उसी नियम पर चलता है?",
    },
}
# In groups of five, for counting: not all students learnt to read with these letters.
ALPHABET = {
    "en": ("The alphabet: ABCDE FGHIJ KLMNO PQRST UVWXYZ",),
    "hi": ("अंग्रेज़ी वर्णमाला: ABCDE FGHIJ KLMNO PQRST UVWXYZ",),
}
EXAMPLE_TITLE = {"en": "Letters and numbers", "hi": "अक्षर और संख्याएँ"}
EXAMPLE_EXPLANATION = {
    "en": "The letters go two on each time: after H comes J. The numbers go up by one: after 4 "
    "comes 5. In other questions you see groups that follow one rule, and look for another "
    "one of them.",
    "hi": "अक्षर हर बार दो कदम आगे बढ़ते हैं: H के बाद J आता है। संख्याएँ एक-एक करके बढ़ती हैं: 4 के बाद 5 "
    "आता है। कुछ और सवालों में ऐसे समूह दिए जाते हैं जो एक ही नियम पर चलते हैं, और उन्हीं जैसा एक और समूह "
    "ढूँढना होता है।",
}
