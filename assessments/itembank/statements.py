"""The statements that students rate: our own wording, in the English of class 8.

Every activity can be pictured by somebody who has just left school: from home, phone, farm,
shop, lab, kitchen, workshop and office. None speaks of caste, religion or gender, and none is
taken from another inventory. The realistic ones come from all these places on purpose, as
statements about workshops alone are liked by fewer women whatever their interests are.
"""

from __future__ import annotations

# How many of a type are given; what stands behind them is a spare, for trials in a later version.
SCORED = 8

INTEREST_STATEMENTS: dict[str, tuple[dict[str, str], ...]] = {
    "realistic": (
        {"en": "Put a new screen on a phone whose glass has cracked"},
        {"en": "Grow vegetables from seed until they are ready to pick"},
        {"en": "Repair a kitchen mixer that no longer turns"},
        {"en": "Build a working model of a crane for the science fair"},
        {"en": "Look after the cows on a small dairy farm"},
        {"en": "Set up the glass tubes for an experiment in the school lab"},
        {"en": "Stitch a torn school bag so that it holds again"},
        {"en": "Make a wooden stool in a workshop"},
        {"en": "Bake the bread for a big canteen"},
    ),
    "investigative": (
        {"en": "Test which box keeps bread fresh for the most days"},
        {"en": "Look at pond water under a microscope to see what lives in it"},
        {"en": "Check whether a message that goes round on phones is true"},
        {"en": "Stay with a hard maths puzzle until you understand the answer"},
        {"en": "Find out why some plants in a field grow better than others"},
        {"en": "Read about how the brain stores what we learn"},
        {"en": "Compare the rainfall of many years to see what is changing"},
        {"en": "Work out why a computer program gives a wrong result"},
        {"en": "Learn how a medicine works inside the body"},
    ),
    "artistic": (
        {"en": "Make a short film about the street where you live"},
        {"en": "Write a story that you have made up yourself"},
        {"en": "Plan how the stage of a school play will look"},
        {"en": "Paint a picture from your own mind on a plain wall"},
        {"en": "Make up a tune for a new song"},
        {"en": "Design clothes in a style of your own"},
        {"en": "Draw the characters for a mobile game"},
        {"en": "Make up your own steps for a dance"},
        {"en": "Take photos that tell the story of a market day"},
    ),
    "social": (
        {"en": "Help a younger child who finds reading hard"},
        {"en": "Spend time with an old neighbour who lives alone"},
        {"en": "Listen to a friend who is upset"},
        {"en": "Guide people to the right doctor at a health camp"},
        {"en": "Show older people how to pay with a phone"},
        {"en": "Make a new classmate feel at home in your school"},
        {"en": "Settle a quarrel between two small children"},
        {"en": "Help someone to walk again after a broken leg"},
        {"en": "Hand out food to families after a flood"},
    ),
    "enterprising": (
        {"en": "Run a snack stall at a fair to make a profit"},
        {"en": "Speak to the whole class to win them over to your plan"},
        {"en": "Bargain for a good price when you sell an old cycle"},
        {"en": "Lead the team that finds sponsors for a sports day"},
        {"en": "Open a small online shop for handmade gifts"},
        {"en": "Stand for election to the student council"},
        {"en": "Decide who does which job in a busy restaurant"},
        {"en": "Persuade shopkeepers to try a new brand of soap"},
        {"en": "Argue for your side in a debate"},
    ),
    "conventional": (
        {"en": "Write down what the family spends each day"},
        {"en": "Keep the list of goods in a shop up to date"},
        {"en": "Correct every mistake in a long list of names"},
        {"en": "Put the files on an office computer into order"},
        {"en": "Check each month that every bill has been paid"},
        {"en": "Enter the marks of a whole school into a computer"},
        {"en": "Make the timetable for the buses of a school"},
        {"en": "Check the forms that people hand in at a bank"},
        {"en": "Label all the bottles in a medicine store"},
    ),
}

# Statements that ask for a certain answer, to see whether they are read; they are not scored.
INSTRUCTED: tuple[tuple[int, dict[str, str]], ...] = (
    (4, {"en": "A small check that every line is read: please choose “Like” here."}),
    (2, {"en": "One more small check of this kind: please choose “Dislike” here."}),
)
# How many statements stand before each of them.
INSTRUCTED_AFTER = (20, 39)

# Keyed 1: agreeing leads to the second word of the scale's name; keyed -1: to the first.
PREFERENCE_STATEMENTS: dict[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "alone_group": (
        (1, {"en": "I like to go through a new topic together with classmates."}),
        (-1, {"en": "When I have to learn something difficult, I prefer to sit by myself."}),
        (1, {"en": "I like to solve homework problems in a small group."}),
        (-1, {"en": "I prefer to revise for a test with nobody around me."}),
    ),
    "doing_reading": (
        (-1, {"en": "I like to try a new thing out before I read about it."}),
        (1, {"en": "Before I use something new, I like to read how it works."}),
        (-1, {"en": "In science I enjoy the experiment more than the textbook."}),
        (1, {"en": "I would rather read a chapter than make a project on it."}),
    ),
    "planned_flexible": (
        (1, {"en": "I like to decide each day what I will study that day."}),
        (-1, {"en": "Before exams I like to make a timetable and follow it."}),
        (1, {"en": "I like to study when I am in the mood, not at fixed hours."}),
        (-1, {"en": "I like to know on Monday what I will study on Friday."}),
    ),
    "online_classroom": (
        (-1, {"en": "I like video lessons that I can stop and play again."}),
        (1, {"en": "I like to have the teacher in the same room when I learn."}),
        (-1, {"en": "I would rather learn on a screen at home than travel to class."}),
        (1, {"en": "I prefer to ask my questions in class rather than in a chat."}),
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
    "aptitude": {"en": "Thinking puzzles"},
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
            "There are six kinds of puzzles: with numbers, shapes, letters, sentences, rupees, "
            "and tables or charts. Choose the one answer that fits.",
            "There is no clock. When you answer well, harder puzzles follow, so nearly everyone "
            "finds some of them hard. Paper and pencil are fine, and you need no calculator.",
            "If you have no idea, choose “I don't know” and go on. You cannot go back to a "
            "puzzle that you have answered.",
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
