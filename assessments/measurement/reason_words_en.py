"""Explanations of recommended courses in English."""

from __future__ import annotations

from assessments.measurement.wording import Skill

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
AMOUNTS: tuple[str, str, str, str] = ("almost none", "little", "plenty", "a lot")
USES: tuple[str, str, str] = ("hardly any", "some", "a lot of")
REASONS: dict[str, tuple[str, ...]] = {
    "liked": (
        "You like {activity}; there's {amount} of it here.",
        "There's {amount} of {activity} here, and you like that.",
        "You enjoy {activity}. This course has {amount} of it.",
        "You said you like {activity}: expect {amount} of it here.",
        "This course has {amount} of {activity}, which you like.",
    ),
    "preferred": (
        "You like {activity} more than most things; there's {amount} of it here.",
        "Among your answers {activity} came out high; there's {amount} of it here.",
        "You lean towards {activity}, and this course has {amount} of it.",
        "This course has {amount} of {activity}, which you prefer to most things.",
        "You'd choose {activity} over most other things: expect {amount} of it here.",
    ),
    "spared": (
        "You don't enjoy {activity}; there's {amount} of it here.",
        "Not keen on {activity}? There's {amount} of it here.",
        "You're not fond of {activity}, and this course has {amount} of it.",
        "No fan of {activity}? This course has {amount} of it.",
        "You'd rather skip {activity}, and there's {amount} of it here.",
    ),
    "open": (
        "There's {amount} of {activity} here. Try some and see whether you enjoy it.",
        "Curious about {activity}? There's {amount} of it here.",
        "See here whether you like {activity}: there's {amount} of it.",
        "This course has {amount} of {activity}. Ask a student what that's like.",
        "For a taste of {activity}, look here: there's {amount} of it.",
    ),
    "compare": (
        "There's {amount} of {activity} here. It isn't your favourite, but worth comparing.",
        "You like other things more than {activity}; there's {amount} of it here. Compare first.",
        "Look here to compare: there's {amount} of {activity}, not your first choice.",
        "This course has {amount} of {activity}. Other things draw you more, so compare.",
        "Keep it to compare: there's {amount} of {activity}, and you rated other things higher.",
    ),
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
    "wider": (
        "Looking into it may show you what matters to you.",
        "One more direction to think about before you decide.",
        "Even a course you turn down helps you see what you want.",
        "Ask yourself what you'd enjoy in it. That helps with every other choice.",
        "Read about it: you may find something you hadn't thought of.",
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
    "disliked": (
        "There's {amount} of {activity} here, and you don't enjoy that. Ask how many hours a week.",
        "You're not fond of {activity}; this course has {amount} of it. Look at its timetable.",
        "You may not enjoy all of it: there's {amount} of {activity}.",
        "Ask a student about {activity}: there's {amount} of it here, and it isn't your thing.",
        "Try a day of it first: there's {amount} of {activity}, which you don't enjoy.",
    ),
    "less_liked": (
        "There's {amount} of {activity} here. You like other things more.",
        "This course has {amount} of {activity}. Is that all right with you?",
        "Part of it may interest you less: there's {amount} of {activity}.",
        "Think about {activity}: there's {amount} of it here, and you like other things more.",
        "Ask how much of the week goes into {activity}: there's {amount} of it here.",
    ),
    "missing": (
        "You like {activity}; there's {amount} of it here. Keep it up outside class.",
        "Ask about clubs for {activity}, which you like: there's {amount} of it in class.",
        "You may miss {activity}: there's {amount} of it here.",
        "You like {activity}, but there's {amount} of it here. Would you mind?",
        "For {activity}, which you like, you'd need another place: there's {amount} of it here.",
    ),
    "level": (
        "There's {use} {work} here. {prepare}",
        "The {work} here may be hard at first. Ask students how they managed.",
        "You'd have some catching up to do in {work}. {prepare}",
        "The {work} here would be a step up for you. It can be learnt; start early.",
        "There's {use} {work} here. Ask whether the college offers a bridge course.",
    ),
    "taught_otherwise": (
        "You like {liking}; expect {other} here.",
        "There's a good share of {other} here. You like {liking}, but most get used to both.",
        "Expect {other}, even though you like {liking}.",
        "Ask how much of it is {other}: you like {liking}.",
        "You may have to get used to {other}; you like {liking}.",
    ),
    "unmeasured": (
        "Ask a student what a normal day is like: your answers can't show that.",
        "Ask the college about fees, seats and entry marks. We didn't look at those.",
        "Find out which jobs people get after it, and where.",
        "Check how far the college is, how long the days are and what it costs.",
        "You may need an entrance test. Ask in good time.",
    ),
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
    "science-maths": "science with maths",
    "science-biology": "science with biology",
    "commerce": "commerce",
    "arts": "arts and humanities",
}
OTHER_STREAM = "not decided, or other subjects"
STREAMS_SENTENCE: tuple[str, str] = ("Usual subjects in class 11 and 12: {streams}.", ", or ")
REQUIRED_STREAMS_SENTENCE: tuple[str, str] = ("Requires {streams}.", ", or ")
