"""The statements that students rate, in our own wording, in the English and Hindi of class 8.

A school leaver can picture every activity: at home, on the phone, on a farm, in a shop, lab,
kitchen, workshop or office. No statement mentions caste, religion or gender, or comes from another
inventory. The realistic statements deliberately cover all these places: fewer women like
statements about workshops alone, whatever their interests. The Hindi verb forms do not imply the
reader's gender.
"""

from __future__ import annotations

# How many statements of each type are given. The others are spares, for trials in a later version.
SCORED = 8

INTEREST_STATEMENTS: dict[str, tuple[dict[str, str], ...]] = {
    "realistic": (
        {
            "en": "Put a new screen on a phone whose glass has cracked",
            "hi": "टूटे काँच वाले फ़ोन में नई स्क्रीन लगाना",
        },
        {
            "en": "Grow vegetables from seed until they are ready to pick",
            "hi": "बीज बोने से लेकर तोड़ने लायक होने तक सब्ज़ियाँ उगाना",
        },
        {
            "en": "Repair a kitchen mixer that no longer turns",
            "hi": "रसोई का बंद पड़ा मिक्सर ठीक करना",
        },
        {
            "en": "Build a working model of a crane for the science fair",
            "hi": "विज्ञान मेले के लिए क्रेन का चलने वाला मॉडल बनाना",
        },
        {
            "en": "Look after the cows on a small dairy farm",
            "hi": "एक छोटी डेयरी में गायों की देखभाल करना",
        },
        {
            "en": "Set up the glass tubes for an experiment in the school lab",
            "hi": "स्कूल की लैब में प्रयोग के लिए काँच की नलियाँ लगाना",
        },
        {
            "en": "Stitch a torn school bag so that it holds again",
            "hi": "फटे हुए स्कूल बैग को सिलकर फिर से काम लायक बनाना",
        },
        {"en": "Make a wooden stool in a workshop", "hi": "वर्कशॉप में लकड़ी का स्टूल बनाना"},
        {"en": "Bake the bread for a big canteen", "hi": "बड़ी कैंटीन के लिए ब्रेड पकाना"},
    ),
    "investigative": (
        {
            "en": "Test which box keeps bread fresh for the most days",
            "hi": "किस डिब्बे में ब्रेड सबसे ज़्यादा दिन ताज़ी रहती है, यह जाँचना",
        },
        {
            "en": "Look at pond water under a microscope to see what lives in it",
            "hi": "तालाब के पानी में क्या-क्या रहता है, यह माइक्रोस्कोप से देखना",
        },
        {
            "en": "Check whether a message that goes round on phones is true",
            "hi": "फ़ोन पर फैल रहा कोई मैसेज सच है या नहीं, यह जाँचना",
        },
        {
            "en": "Stay with a hard maths puzzle until you understand the answer",
            "hi": "गणित की मुश्किल पहेली पर जवाब समझ आने तक मेहनत करना",
        },
        {
            "en": "Find out why some plants in a field grow better than others",
            "hi": "खेत के कुछ पौधे दूसरों से बेहतर क्यों बढ़ते हैं, यह पता लगाना",
        },
        {
            "en": "Read about how the brain stores what we learn",
            "hi": "दिमाग सीखी हुई बातें कैसे याद रखता है, इसके बारे में पढ़ना",
        },
        {
            "en": "Compare the rainfall of many years to see what is changing",
            "hi": "क्या बदल रहा है, यह देखने के लिए कई सालों की बारिश की तुलना करना",
        },
        {
            "en": "Work out why a computer program gives a wrong result",
            "hi": "कंप्यूटर प्रोग्राम गलत नतीजा क्यों दे रहा है, इसका कारण ढूँढना",
        },
        {
            "en": "Learn how a medicine works inside the body",
            "hi": "कोई दवा शरीर के अंदर कैसे काम करती है, यह सीखना",
        },
    ),
    "artistic": (
        {
            "en": "Make a short film about the street where you live",
            "hi": "अपनी गली पर एक छोटी फ़िल्म बनाना",
        },
        {"en": "Write a story that you have made up yourself", "hi": "अपने मन से गढ़ी हुई कहानी लिखना"},
        {
            "en": "Plan how the stage of a school play will look",
            "hi": "स्कूल के नाटक का मंच कैसा दिखेगा, यह तय करना",
        },
        {
            "en": "Paint a picture from your own mind on a plain wall",
            "hi": "खाली दीवार पर अपनी कल्पना से चित्र बनाना",
        },
        {"en": "Make up a tune for a new song", "hi": "एक नए गाने की धुन बनाना"},
        {"en": "Design clothes in a style of your own", "hi": "अपने अलग अंदाज़ के कपड़े डिज़ाइन करना"},
        {
            "en": "Draw the characters for a mobile game",
            "hi": "मोबाइल गेम के किरदारों की शक्ल-सूरत बनाना",
        },
        {"en": "Make up your own steps for a dance", "hi": "डांस के लिए अपने खुद के स्टेप बनाना"},
        {
            "en": "Take photos that tell the story of a market day",
            "hi": "बाज़ार के एक दिन की कहानी कहने वाली फ़ोटो खींचना",
        },
    ),
    "social": (
        {
            "en": "Help a younger child who finds reading hard",
            "hi": "जिस छोटे बच्चे को पढ़ने में दिक्कत हो, उसकी मदद करना",
        },
        {
            "en": "Spend time with an old neighbour who lives alone",
            "hi": "अकेले रहने वाले बुज़ुर्ग पड़ोसी के साथ समय बिताना",
        },
        {"en": "Listen to a friend who is upset", "hi": "परेशान दोस्त की बात सुनना"},
        {
            "en": "Guide people to the right doctor at a health camp",
            "hi": "हेल्थ कैंप में लोगों को सही डॉक्टर तक पहुँचाना",
        },
        {
            "en": "Show older people how to pay with a phone",
            "hi": "बड़ी उम्र के लोगों को फ़ोन से पैसे देना सिखाना",
        },
        {
            "en": "Make a new classmate feel at home in your school",
            "hi": "अपने स्कूल में नए सहपाठी को अपनापन महसूस कराना",
        },
        {"en": "Settle a quarrel between two small children", "hi": "दो छोटे बच्चों का झगड़ा सुलझाना"},
        {
            "en": "Help someone to walk again after a broken leg",
            "hi": "टाँग टूटने के बाद किसी को फिर से चलने में मदद देना",
        },
        {"en": "Hand out food to families after a flood", "hi": "बाढ़ के बाद परिवारों को खाना बाँटना"},
    ),
    "enterprising": (
        {
            "en": "Run a snack stall at a fair to make a profit",
            "hi": "मुनाफ़ा कमाने के लिए मेले में नाश्ते का स्टॉल चलाना",
        },
        {
            "en": "Speak to the whole class to win them over to your plan",
            "hi": "पूरी क्लास के सामने बोलकर सबको अपनी योजना के लिए राज़ी करना",
        },
        {
            "en": "Bargain for a good price when you sell an old cycle",
            "hi": "पुरानी साइकिल बेचते समय अच्छे दाम के लिए मोल-भाव करना",
        },
        {
            "en": "Lead the team that finds sponsors for a sports day",
            "hi": "खेल दिवस के लिए स्पॉन्सर ढूँढने वाली टीम की अगुवाई करना",
        },
        {
            "en": "Open a small online shop for handmade gifts",
            "hi": "हाथ से बने तोहफ़ों की एक छोटी ऑनलाइन दुकान खोलना",
        },
        {"en": "Stand for election to the student council", "hi": "स्टूडेंट काउंसिल का चुनाव लड़ना"},
        {
            "en": "Decide who does which job in a busy restaurant",
            "hi": "भीड़ वाले रेस्टोरेंट में किसे कौन-सा काम मिले, यह तय करना",
        },
        {
            "en": "Persuade shopkeepers to try a new brand of soap",
            "hi": "दुकानदारों को साबुन का नया ब्रांड आज़माने के लिए मनाना",
        },
        {"en": "Argue for your side in a debate", "hi": "वाद-विवाद में अपने पक्ष की दलीलें देना"},
    ),
    "conventional": (
        {"en": "Write down what the family spends each day", "hi": "परिवार का हर दिन का खर्च लिखना"},
        {
            "en": "Keep the list of goods in a shop up to date",
            "hi": "दुकान के सामान की सूची को अपडेट रखना",
        },
        {
            "en": "Correct every mistake in a long list of names",
            "hi": "नामों की लंबी सूची की हर गलती सुधारना",
        },
        {
            "en": "Put the files on an office computer into order",
            "hi": "दफ़्तर के कंप्यूटर की फ़ाइलें तरतीब से लगाना",
        },
        {
            "en": "Check each month that every bill has been paid",
            "hi": "हर महीने सारे बिल भरे गए हैं, यह जाँचना",
        },
        {
            "en": "Enter the marks of a whole school into a computer",
            "hi": "पूरे स्कूल के नंबर कंप्यूटर में भरना",
        },
        {"en": "Make the timetable for the buses of a school", "hi": "स्कूल की बसों का टाइमटेबल बनाना"},
        {
            "en": "Check the forms that people hand in at a bank",
            "hi": "बैंक में लोगों के जमा किए फ़ॉर्म जाँचना",
        },
        {
            "en": "Label all the bottles in a medicine store",
            "hi": "दवाओं के स्टोर की सारी बोतलों पर लेबल लगाना",
        },
    ),
}

# Attention checks, which ask for a certain answer and are not scored.
INSTRUCTED: tuple[tuple[int, dict[str, str]], ...] = (
    (
        4,
        {
            "en": "A small check that every line is read: please choose “Like” here.",
            "hi": "एक छोटी-सी जाँच कि हर पंक्ति पढ़ी जा रही है: कृपया यहाँ “पसंद” चुनिए।",
        },
    ),
    (
        2,
        {
            "en": "One more small check of this kind: please choose “Dislike” here.",
            "hi": "ऐसी ही एक और छोटी जाँच: कृपया यहाँ “नापसंद” चुनिए।",
        },
    ),
)
# The number of statements before each attention check.
INSTRUCTED_AFTER = (20, 39)

# Keyed 1: agreeing indicates the second word of the scale's name; keyed -1: the first.
PREFERENCE_STATEMENTS: dict[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "alone_group": (
        (
            1,
            {
                "en": "I like to go through a new topic together with classmates.",
                "hi": "मुझे नया टॉपिक सहपाठियों के साथ मिलकर पढ़ना पसंद है।",
            },
        ),
        (
            -1,
            {
                "en": "When I have to learn something difficult, I prefer to sit by myself.",
                "hi": "जब कुछ मुश्किल सीखना हो, तो मुझे अकेले बैठना ज़्यादा पसंद है।",
            },
        ),
        (
            1,
            {
                "en": "I like to solve homework problems in a small group.",
                "hi": "मुझे होमवर्क के सवाल छोटे ग्रुप में हल करना पसंद है।",
            },
        ),
        (
            -1,
            {
                "en": "I prefer to revise for a test with nobody around me.",
                "hi": "टेस्ट के लिए दोहराते समय मुझे आसपास किसी का न होना ज़्यादा पसंद है।",
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
        (
            -1,
            {
                "en": "In science I enjoy the experiment more than the textbook.",
                "hi": "विज्ञान में मुझे किताब से ज़्यादा मज़ा प्रयोग में आता है।",
            },
        ),
        (
            1,
            {
                "en": "I would rather read a chapter than make a project on it.",
                "hi": "किसी पाठ पर प्रोजेक्ट बनाने के बजाय मुझे उसे पढ़ना ज़्यादा पसंद है।",
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
        (
            1,
            {
                "en": "I like to study when I am in the mood, not at fixed hours.",
                "hi": "मुझे तय समय पर नहीं, मन होने पर पढ़ना पसंद है।",
            },
        ),
        (
            -1,
            {
                "en": "I like to know on Monday what I will study on Friday.",
                "hi": "मुझे सोमवार को ही यह जान लेना पसंद है कि शुक्रवार को क्या पढ़ना है।",
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
        (
            -1,
            {
                "en": "I would rather learn on a screen at home than travel to class.",
                "hi": "क्लास तक जाने के बजाय मुझे घर पर स्क्रीन पर सीखना ज़्यादा पसंद है।",
            },
        ),
        (
            1,
            {
                "en": "I prefer to ask my questions in class rather than in a chat.",
                "hi": "मुझे अपने सवाल चैट के बजाय क्लास में पूछना ज़्यादा पसंद है।",
            },
        ),
    ),
}
