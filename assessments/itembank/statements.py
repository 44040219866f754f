"""The statements that students rate: our own wording, in the English of class 8.

Every activity can be pictured by somebody who has just left school: from home, phone, farm,
shop, lab, kitchen, workshop and office. None speaks of caste, religion or gender, and none is
taken from another inventory. The realistic ones come from all these places on purpose, as
statements about workshops alone are liked by fewer women whatever their interests are.
"""

from __future__ import annotations

INTEREST_STATEMENTS: dict[str, tuple[dict[str, str], ...]] = {
    "realistic": (
        {"en": "Put a new screen on a phone whose glass has cracked"},
        {"en": "Sow a row of vegetables and look after it until harvest"},
        {"en": "Open a kitchen mixer that has stopped and get it running again"},
        {"en": "Build a working model with wood, wires and a small motor for the science fair"},
    ),
    "investigative": (
        {"en": "Test which box keeps bread fresh for the most days, and find out why"},
        {"en": "Look at pond water under a microscope and note down what moves in it"},
        {"en": "Check facts and figures to see if a message going round on phones is true"},
        {"en": "Stay with a hard maths puzzle until you understand why the answer is right"},
    ),
    "artistic": (
        {"en": "Make a short film about the street where you live"},
        {"en": "Write a poem, a story or a song of your own"},
        {"en": "Plan how the stage should look for a play: colours, cloth and lights"},
        {"en": "Paint a picture from your own mind on a plain wall at school"},
    ),
    "social": (
        {"en": "Help a younger child who finds reading hard"},
        {"en": "Spend time with an old neighbour who is ill and lives alone"},
        {"en": "Listen to a friend who is upset and think together about what to do"},
        {"en": "Help people at a health camp to find the right desk and understand the advice"},
    ),
    "enterprising": (
        {"en": "Run a snack stall at a fair and try to make a profit"},
        {"en": "Speak to the whole class to win them over to your plan"},
        {"en": "Talk with a buyer until you get a good price for an old cycle"},
        {"en": "Lead the team that finds sponsors for a sports day"},
    ),
    "conventional": (
        {"en": "Write down what the family spends each day and check the total at the month's end"},
        {"en": "Keep the list of goods in a shop up to date, so that nothing runs out"},
        {"en": "Go through a long list of names and marks and correct every mistake"},
        {"en": "Put the files on an office computer into order, so that anyone can find them"},
    ),
}

# Keyed 1: agreeing leads to the second word of the scale's name; keyed -1: to the first.
PREFERENCE_STATEMENTS: dict[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "alone_group": (
        (1, {"en": "I like to go through a new topic together with classmates."}),
        (-1, {"en": "When I have to learn something difficult, I prefer to sit by myself."}),
    ),
    "doing_reading": (
        (-1, {"en": "I like to try a new thing with my own hands before I read about it."}),
        (1, {"en": "Before I use something new, I like to read how it works."}),
    ),
    "planned_flexible": (
        (1, {"en": "I like to decide each day what I will study that day."}),
        (-1, {"en": "Before exams I like to make a timetable and follow it."}),
    ),
    "online_classroom": (
        (-1, {"en": "I like lessons on a phone or computer that I can stop and play again."}),
        (1, {"en": "I like to have the teacher in the same room when I learn something new."}),
    ),
}

INTEREST_ANSWERS: tuple[dict[str, str], ...] = (
    {"en": "Strongly dislike"},
    {"en": "Dislike"},
    {"en": "In between"},
    {"en": "Like"},
    {"en": "Strongly like"},
)
PREFERENCE_ANSWERS: tuple[dict[str, str], ...] = (
    {"en": "Strongly disagree"},
    {"en": "Disagree"},
    {"en": "In between"},
    {"en": "Agree"},
    {"en": "Strongly agree"},
)
DONT_KNOW = {"en": "I don't know"}

SECTION_TITLES: dict[str, dict[str, str]] = {
    "interests": {"en": "What you like to do"},
    "aptitude": {"en": "Numbers and patterns"},
    "preferences": {"en": "Study preferences"},
}
SECTION_INTROS: dict[str, dict[str, list[str]]] = {
    "interests": {
        "en": [
            "You will read about things that people do at home, at school and at work. "
            "Say how much you would like to do each of them.",
            "There are no right or wrong answers. Do not think about pay or marks, or whether "
            "you can do it already: only about how much you would like doing it.",
        ]
    },
    "aptitude": {
        "en": [
            "Each question shows a row that follows a rule. Find the rule, then choose what "
            "comes in place of the question mark.",
            "Example: 4, 7, 10, 13, ?",
            "Each number is 3 more than the one before it. 13 and 3 make 16, so the answer is 16.",
            "Another example: B4, D5, F6, ?",
            "The letter moves two places on in the alphabet and the number grows by 1, so the "
            "answer is H7.",
            "There is no clock. Some questions are hard for nearly everyone. Paper and pencil "
            'are fine. If you have no idea, choose "I don\'t know" and go on. You cannot go back '
            "to a question that you have answered.",
        ]
    },
    "preferences": {
        "en": [
            "The last part is about how you like to study. Say how far you agree with each "
            "sentence.",
            "These are preferences, not abilities: one way is as good as the other.",
        ]
    },
}
