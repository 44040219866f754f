"""Explanations of recommended courses in English."""

from __future__ import annotations

from measurement.wording import Skill

SKILLS: dict[str, Skill] = {
    "numerical": Skill(
        "the number puzzles",
        "number work",
        "Start practising percentages and ratios now.",
    ),
    "abstract": Skill(
        "the pattern puzzles",
        "problem solving",
        "Solve a pattern puzzle or two every week.",
    ),
    "verbal": Skill(
        "the letter and logic puzzles",
        "reading",
        "Read a short article every day and sum it up.",
    ),
}
ALL_PUZZLES = "the puzzles"
# Of an interest, by rating, and of work, by importance.
USES: tuple[str, str, str] = ("hardly any", "some", "a lot of")
REASONS: dict[str, tuple[str, ...]] = {
    "well": (
        "You did well on {puzzles}. There's {use} {work} here, so that helps.",
        "There's {use} {work} here, and you did well on {puzzles}.",
        "You're ready for the {work} in this course: you did well on {puzzles}.",
        "You'd have a head start: there's {use} {work} here, and {puzzles} went well.",
        "Your answers to {puzzles} were strong. Use that here: there's {use} {work}.",
    ),
    "ready": (
        "You're ready for the {work} in this course.",
        "There's {use} {work} here, and you're ready for it.",
        "The {work} here starts where you are now.",
        "You can keep up with the {work} here: {puzzles} went well enough.",
        "There's {use} {work} here. Your answers to {puzzles} are a good start.",
    ),
    "taught": (
        "You like {liking}; there's room for that here.",
        "Part of this course is {liking}, and you like that.",
        "You prefer {liking}. You'll find that here.",
        "You may like how it's taught: {liking}.",
        "You lean towards {liking}, and so does this course.",
    ),
    "mix": (
        "On the whole it has more of what you like and less of what you don't.",
        "Taken together, it fits your answers.",
        "More of it suits you than doesn't.",
        "Most of the work here goes your way.",
        "All in all, it's close to your answers.",
    ),
    "loved_statement": (
        "You'd love to “{quote}”. Expect plenty of that kind of work.",
        "You'd love to “{quote}”, and there's a lot of work like that here.",
        "You'd love to “{quote}”. Much of this course is that kind of work.",
        "You'd love to “{quote}”. You'd often do things like that here.",
        "You'd love to “{quote}”. That's close to what you'd study here.",
    ),
    "liked_statement": (
        "You like to “{quote}”. Expect plenty of that kind of work.",
        "You like to “{quote}”, and there's a lot of work like that here.",
        "You like to “{quote}”. Much of this course is that kind of work.",
        "You like to “{quote}”. You'd often do things like that here.",
        "You like to “{quote}”. That's close to what you'd study here.",
    ),
    "loved_in_part": (
        "You'd love to “{quote}”. Part of this course is like that.",
        "You'd love to “{quote}”, and there's some work like that here.",
        "You'd love to “{quote}”. There's room for that here too.",
        "You'd love to “{quote}”. Some of the work here is like that.",
        "You'd love to “{quote}”. That's one side of this course.",
    ),
    "liked_in_part": (
        "You like to “{quote}”. Part of this course is like that.",
        "You like to “{quote}”, and there's some work like that here.",
        "You like to “{quote}”. There's room for that here too.",
        "You like to “{quote}”. Some of the work here is like that.",
        "You like to “{quote}”. That's one side of this course.",
    ),
    "enjoyed_field": (
        "This course has a lot to do with {field}, which you enjoy.",
        "You enjoy {field}, and this course takes you further.",
        "You enjoy {field}. Expect a good deal of it here.",
        "Your answers point to {field}, and so does this course.",
        "You enjoy {field}, and this course is about it.",
    ),
    "level": (
        "There's {use} {work} here. {prepare}",
        "The {work} here may be hard at first. Ask students how they managed.",
        "You'd have some catching up to do in {work}. {prepare}",
        "The {work} here would be a step up for you. It can be learnt; start early.",
        "There's {use} {work} here. Ask whether the college offers a bridge course.",
    ),
    "unmeasured": (
        "Ask a student what a normal day is like: your answers can't show that.",
        "Ask the college about fees, seats and entry marks. We didn't look at those.",
        "Find out which jobs people get after it, and where.",
        "Check how far the college is, how long the days are and what it costs.",
        "You may need an entrance test. Ask in good time.",
    ),
}
# What speaks against a course that the student named.
AGAINST: dict[str, str] = {
    "disliked_statement": "You said no to “{quote}”, and there's a lot of work like that here.",
    "less_field": "Your answers point less to {field} than to other fields.",
}
# How well a course fits that the student named.
FITS: dict[str, str] = {
    "well": "Fits well.",
    "part": "Fits in part.",
    "little": "Fits little.",
    "unsure": "Your answers don't show clearly how well it fits.",
    "subjects": "Needs other subjects.",
}
PAGE_NOTES: dict[str, str] = {
    "flat": "Your answers don't point one way yet, so take these courses as first ideas.",
    "flagged": "Some answers may have been given too quickly, so take these courses as a rough "
    "idea. You can ask for a new link and take your time.",
}
COURSE_NOTES: dict[str, str] = {
    "modest": "It isn't very close to what you enjoy: take it as one more idea.",
    "close": "It fits about as well as the course above it.",
}
ENTRY_LEVELS: dict[str, str] = {
    "class-10": "You can start it after class 10.",
    "class-12": "You can start it after class 12.",
    "degree": "You can start it after a first degree.",
}
STREAMS: dict[str, str] = {
    "science-maths": "science with maths (PCM)",
    "science-biology": "science with biology (PCB)",
    "science-maths-biology": "science with maths and biology (PCMB)",
    "commerce": "commerce",
    "arts": "arts and humanities",
}
# In sentences, and in files.
SHORT_STREAMS: dict[str, str] = {
    **STREAMS,
    **{"science-maths": "PCM", "science-biology": "PCB", "science-maths-biology": "PCMB"},
}
OTHER_STREAM = "not decided, or other subjects"
STREAMS_SENTENCE: tuple[str, str] = ("Usual subjects in class 11 and 12: {streams}.", " or ")
REQUIRED_STREAMS_SENTENCE: tuple[str, str] = ("You need {streams}.", " or ")
