"""Study advice per language: general advice, and a line for each study preference.

Studies have found no benefit in matching teaching to a "learning style", while self-testing,
spacing, mixing problems and explaining help everyone. The line for a preference makes that way of
studying work better, and never advises against the other way.
"""

from __future__ import annotations

# The most useful first.
STUDY_ADVICE: dict[str, tuple[str, ...]] = {
    "en": (
        "Close the book and ask yourself what you have just read. Then look. That helps more than "
        "reading it twice.",
        "Come back to a topic after a day, a week and a month, for a few minutes each time.",
        "Mix different kinds of problems when you practise, so that you also practise choosing "
        "the way to solve them.",
        "Explain it in your own words, to somebody or aloud to yourself. Where you get stuck, "
        "read again.",
    ),
    "hi": (
        "किताब बंद करके खुद से पूछिए कि अभी क्या पढ़ा। फिर देखिए। यह दो बार पढ़ने से ज़्यादा काम आता है।",
        "हर टॉपिक पर एक दिन, एक हफ़्ते और एक महीने बाद कुछ मिनट के लिए लौटिए।",
        "अभ्यास में अलग-अलग तरह के सवाल मिलाइए। तब यह चुनने का अभ्यास भी होता है कि कौन-सा तरीका कहाँ "
        "काम आएगा।",
        "अपने शब्दों में समझाइए, किसी को या बोलकर खुद को। जहाँ अटकें, वही फिर पढ़िए।",
    ),
}

# A line for students who lean to this end of a study preference.
LEANING_ADVICE: dict[str, dict[str, str]] = {
    "en": {
        "alone": "Keep your quiet hours, and once a week explain a topic to somebody: it shows "
        "what is still missing.",
        "group": "Before you meet, try the questions by yourself. Then compare: that is where "
        "others help most.",
        "doing": "After you have tried something, write down in a line or two why it worked.",
        "reading": "After each part, close the book and try one problem before you read on.",
        "planned": "Leave one evening a week free in your plan, for what took longer.",
        "flexible": "Keep one thing fixed: the same half hour each day. What you study in it, you "
        "can choose then.",
        "online": "Put other apps away, and stop the video often: say the next step before it "
        "does.",
        "classroom": "Go through your notes on the same day, and take one question to the next "
        "class.",
    },
    "hi": {
        "alone": "अकेले पढ़ने का समय बनाए रखिए, और हफ़्ते में एक बार कोई टॉपिक किसी को समझाइए। इससे पता चलता "
        "है कि क्या बाकी है।",
        "group": "मिलने से पहले सवाल खुद हल कीजिए। फिर जवाब मिलाइए: दूसरों की मदद सबसे ज़्यादा वहीं काम "
        "आती है।",
        "doing": "कुछ करके देखने के बाद एक-दो लाइन में लिखिए कि वैसा क्यों हुआ।",
        "reading": "हर हिस्से के बाद किताब बंद कीजिए, और आगे पढ़ने से पहले एक सवाल हल कीजिए।",
        "planned": "योजना में हफ़्ते की एक शाम खाली रखिए, उसके लिए जिसमें ज़्यादा समय लगा।",
        "flexible": "एक बात पक्की रखिए: रोज़ वही आधा घंटा। उसमें क्या पढ़ना है, यह तभी चुनिए।",
        "online": "बाकी ऐप बंद रखिए, और वीडियो बार-बार रोककर अगला कदम पहले खुद बताइए।",
        "classroom": "उसी दिन नोट्स दोहराइए, और अगली क्लास में पूछने के लिए एक सवाल तैयार रखिए।",
    },
}
