"""Explanations of recommended courses in English."""

from __future__ import annotations

from assessments.measurement.wording import Skill

SKILLS: dict[str, Skill] = {
    "numerical": Skill(
        "the number puzzles",
        "number work",
        "To get ready, practise percentages, ratios and reading tables, a little every day.",
    ),
    "abstract": Skill(
        "the pattern puzzles",
        "thinking in patterns",
        "To get ready, solve a few pattern puzzles every week and say each rule aloud.",
    ),
    "verbal": Skill(
        "the letter and logic puzzles",
        "careful reading and reasoning",
        "To get ready, read short texts and ask what follows from each sentence and what does not.",
    ),
}
ALL_PUZZLES = "the puzzles"
AMOUNTS: tuple[str, str, str, str] = (
    "has almost none of",
    "has only a little of",
    "has a good deal of",
    "is full of",
)
USES: tuple[str, str, str] = ("hardly", "now and then", "a lot")
LEVELS: tuple[str, str, str, str] = (
    "no special level",
    "a basic level",
    "an average level",
    "a strong level",
)
REASONS: dict[str, tuple[str, ...]] = {
    "liked": (
        "You liked {activity}; this course {amount} that.",
        "This course {amount} {activity}, and you said you would like that.",
        "It goes with your liking for {activity}: this course {amount} it.",
        "Something that you liked is {activity}. This course {amount} that.",
        "You liked the idea of {activity}, and this course {amount} it.",
    ),
    "preferred": (
        "Compared with the other activities, you were more drawn to {activity}; "
        "this course {amount} that.",
        "This course {amount} {activity}, which you rated above your own average.",
        "Your answers about {activity} were higher than your average, and this course {amount} "
        "that.",
        "Of the six kinds of activity, {activity} is one that you rated higher; this course "
        "{amount} it.",
        "You leaned more towards {activity} than towards other things on average, and this "
        "course {amount} that.",
    ),
    "spared": (
        "You did not care much for {activity}; this course {amount} that.",
        "You showed no great liking for {activity}, and this course {amount} it.",
        "You rated {activity} below the middle, and this course {amount} it.",
        "This course {amount} {activity}. That was not among the things you liked.",
        "With little liking for {activity} you may be fine here: this course {amount} it.",
    ),
    "open": (
        "None of the six kinds of activity stands out for you yet, so look around: "
        "this course {amount} {activity}.",
        "This course {amount} {activity}. Try some and see whether you enjoy it.",
        "Here you could find out how you like {activity}: this course {amount} it.",
        "Are you curious about {activity}? This course {amount} it.",
        "To get a taste of {activity}, look at this course, which {amount} that.",
    ),
    "compare": (
        "This course {amount} {activity}. That is not what you liked most, "
        "but it is worth a look to compare.",
        "You rated other things higher than {activity}, and this course {amount} that. "
        "Compare it with the other courses in your list.",
        "Look at it to compare: this course {amount} {activity}, which was not your first choice.",
        "What drew you most is something other than {activity}. Still, this course {amount} "
        "that, and seeing it may help you choose.",
        "Keep it as a comparison: this course {amount} {activity}, and you rated other things "
        "higher.",
    ),
    "well": (
        "You did well in {puzzles}; this course uses {work} {use}.",
        "This course uses {work} {use}, and in {puzzles} you came out {band}.",
        "In {puzzles} you came out {band}. That helps here, where {work} is used {use}.",
        "Your answers to {puzzles} were good, and {work} is used {use} in this course.",
        "What you showed in {puzzles} is useful here: the course uses {work} {use}.",
    ),
    "ready": (
        "In {puzzles} you came out {band}, and this course does not ask for more at the start.",
        "This course uses {work} {use}; what you showed in {puzzles} is enough to begin with.",
        "You can start from where you are: the course uses {work} {use}, and {puzzles} "
        "went well enough for that.",
        "For {work}, which this course uses {use}, your result in {puzzles} is a sound start.",
        "In {work}, this course starts no higher than where {puzzles} put you: {band}.",
    ),
    "taught": (
        "You lean towards {liking}, and this course leaves room for that.",
        "It is taught in a way you may enjoy: there is a good share of {liking}.",
        "Part of it is {liking}, and your answers lean towards that.",
        "How it is taught may suit you: you lean towards {liking}, and there is some of that.",
        "Your answers lean towards {liking}; you would find that here.",
    ),
    "mix": (
        "Compared with other courses, it has more of what you rated high and less of what you "
        "rated low.",
        "On the whole, its mix of activities goes the same way as your answers.",
        "Taken together, more in it agrees with your answers than goes against them.",
        "Looked at as a whole, it leans the way that your answers lean.",
        "With all six kinds of activity together, it goes with your answers more than against "
        "them.",
    ),
    "wider": (
        "Looking into it may help you to find out what matters most to you.",
        "It is one more direction to think about before you decide.",
        "Even a course that you decide against helps you to see what you want.",
        "Ask yourself what you would enjoy in it: that helps with every other choice, too.",
        "Reading about it may show you something that you had not thought of.",
    ),
    "loved_statement": (
        "You'd love to “{quote}”. Expect plenty of that.",
        "You'd love to “{quote}”, and this course has a lot of it.",
        "You'd love to “{quote}”. Much of this course goes that way.",
        "You'd love to “{quote}”; there's a lot of that kind of work here.",
        "You'd love to “{quote}”. That is close to what this course is about.",
    ),
    "liked_statement": (
        "You like to “{quote}”. Expect plenty of that.",
        "You like to “{quote}”, and this course has a lot of it.",
        "You like to “{quote}”. Much of this course goes that way.",
        "You like to “{quote}”; there's a lot of that kind of work here.",
        "You like to “{quote}”. That is close to what this course is about.",
    ),
    "loved_in_part": (
        "You'd love to “{quote}”. A part of this course goes that way.",
        "You'd love to “{quote}”, and there is some of that in this course.",
        "You'd love to “{quote}”. This course has room for that, too.",
        "You'd love to “{quote}”; some of the work here is of that kind.",
        "You'd love to “{quote}”. That is one side of this course.",
    ),
    "liked_in_part": (
        "You like to “{quote}”. A part of this course goes that way.",
        "You like to “{quote}”, and there is some of that in this course.",
        "You like to “{quote}”. This course has room for that, too.",
        "You like to “{quote}”; some of the work here is of that kind.",
        "You like to “{quote}”. That is one side of this course.",
    ),
    "enjoyed_field": (
        "You enjoy {field}, and this course has a good share of that.",
        "Your answers lean towards {field}, and so does this course.",
        "This course has much to do with {field}, which you enjoy.",
        "Your answers point to {field}, and this course has a lot of that.",
        "You enjoy {field}. Expect a good deal of it here.",
    ),
    "disliked": (
        "One thing to know: this course {amount} {activity}, which you did not care much for. "
        "Ask how many hours a week that is.",
        "You rated {activity} below the middle, and this course {amount} that. Look at its "
        "timetable before you choose.",
        "You may not enjoy all of it: this course {amount} {activity}.",
        "Ask a student of this course about {activity}: it {amount} that, and you showed no "
        "great liking for it.",
        "This course {amount} {activity}. That was not among the things you liked, so try a "
        "day of it first.",
    ),
    "less_liked": (
        "One thing to know: this course {amount} {activity}, which interested you less than "
        "other things.",
        "This course {amount} {activity}. You rated some other things higher; see whether that "
        "matters to you.",
        "A part of it may interest you less: this course {amount} {activity}.",
        "Think about {activity}: this course {amount} that, and you rated other things higher.",
        "You were less drawn to {activity}, and this course {amount} that. Ask how much of the "
        "week it takes.",
    ),
    "missing": (
        "You liked {activity}; this course {amount} that. You could keep it up outside class.",
        "This course {amount} {activity}, which you liked. Ask whether a club or a project "
        "offers some.",
        "What you may miss is {activity}: this course {amount} it.",
        "You liked {activity}, but this course {amount} it. Would you mind that?",
        "For {activity}, which you liked, you would need another place: this course {amount} it.",
    ),
    "level": (
        "This course uses {work} {use}, at {level} that {puzzles} did not show yet. {prepare}",
        "In {puzzles} you came out {band} that day; this course uses {work} {use} and expects "
        "{level}. {prepare}",
        "Here you would have some catching up to do: {work} is used {use}, and {level} is "
        "expected. {prepare}",
        "The first months may be hard work, as the course uses {work} {use} and expects "
        "{level}. {prepare}",
        "Expect to practise: {work} is used {use} in this course, and {puzzles} put you below "
        "where it usually starts. It can be learnt. {prepare}",
    ),
    "taught_otherwise": (
        "You lean towards {liking}; this course has a good share of {other}.",
        "There is a good share of {other} in it, and you lean towards {liking}. Most students "
        "get used to both.",
        "Expect {other} as well, even though you lean towards {liking}.",
        "Ask how much of it is {other}: you lean towards {liking}.",
        "You may have to get used to {other}, as you lean towards {liking}.",
    ),
    "unmeasured": (
        "Your answers cannot show what a normal day in this course is like. Ask somebody who "
        "takes it.",
        "Fees, seats and entry marks were not part of this assessment. Ask the college about them.",
        "What people do after this course was not looked at here. Find out which jobs they "
        "have, and where.",
        "How far the college is, how long the days are and what they cost you was not asked "
        "here, and it counts too.",
        "An entrance test or marks in school may be needed; they were not looked at here. Ask "
        "in good time.",
    ),
}
PAGE_NOTES: dict[str, str] = {
    "flat": "Your answers do not point in one direction yet, so these courses are only a first "
    "idea.",
    "flagged": "Some answers look as if they were given in a hurry or by chance, so take these "
    "courses as a rough idea only. You can ask for a new link and take your time.",
}
COURSE_NOTES: dict[str, str] = {
    "modest": "As a whole it is not close to your interests: take it as one more idea.",
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
