"""Study advice per language: general advice, and a line for each study preference.

Studies have found no benefit in matching teaching to a "learning style", while self-testing,
spacing, mixing problems and explaining help everyone. The line for a preference makes that way of
studying work better, and never advises against the other way.
"""

from __future__ import annotations

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
