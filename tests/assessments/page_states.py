"""Every student page in every state: its template, and what its view gives, unless it is empty."""

from datetime import UTC, datetime

from assessments.student.forms import describe_example, describe_question
from tests.assessments.page_figures import CELLS, FIGURES

BOTH = [
    {"code": "en", "name": "English", "url": "?language=en"},
    {"code": "hi", "name": "हिन्दी", "url": "?language=hi"},
]


def page(name, **more):
    common = {"project_name": "Northfield College", "support_email": "help@assess.example"}
    inside = name in {"section", "question", "ideas", "leave"}
    return {"page": name, "language": "en", "languages": BOTH, "is_open": inside, **common, **more}


def error(field, text):
    return {"errors": [{"field": field, "text": text}]}


LANDING = page(
    "landing",
    heading="Find courses that suit you",
    **{"given_name": "Asha", "minutes": 12, "minutes_estimated": True, "question_count": 44},
    **{"taps": 32, "tap_minutes": 4, "puzzles": 12, "puzzle_minutes": 8, "course_count": 5},
    **{"hours": 24, "months": 24, "token": "link-token", "action": "/p/assessment"},
    parts=[
        {"code": "interests", "title": "Interests"},
        {"code": "aptitude", "title": "Puzzles"},
        {"code": "preferences", "title": "Studying"},
    ],
    **{"problems": {}, "typed": {}, "notice_version": "2026-11-23"},
)
OPEN = {
    "is_held": True,
    "as_posted": {"assessment_id": "asm_0123456789abcdef", "continuations": "0"},
    **{"answered": 14, "total": 44},
}


def refused(problems, **typed):
    """Return what comes back with errors: each in the summary and beside its field."""
    errors = [{"field": field, "text": text} for field, text in problems.items()]
    return LANDING | {"errors": errors, "problems": problems, "typed": typed}


TOTALS = (24, 12, 8)


def part(number, answered=0):
    """Return the progress of an attempt of 44 questions within a part."""
    bars = [{"start": 34 * n, "width": 32, "filled": 32 * (n < number - 1)} for n in range(3)]
    return {
        **{"number": number, "bars": bars, "total": sum(TOTALS), "minutes_left": 4},
        "part_in_words": f"Part {number} of 3",
        "answered_in_words": f"{answered} of {TOTALS[number - 1]} answered",
    }


ADDRESSES = {"leave_url": "/p/assessment/asm_1/leave"}
SECTION = page(
    "section",
    section={"code": "aptitude", "title": "Puzzles", "intro": ["Take your time.", "Go on."]},
    **{"question_count": 12, "minutes": 8, "action": "/p/assessment/asm_1/25"},
    **part(2),
    **ADDRESSES,
)


def question(position, control, **more):
    options = [
        {"number": n, "value": n, "label": f"Answer {n}", "checked": n == 2} for n in range(1, 6)
    ]
    shown = {"position": position, "control": control, "text": "Mend a pump", "options": options}
    return shown | more


STATEMENTS = page(
    "question",
    section={"code": "interests", "title": "Interests"},
    questions=[question(n, f"answer-{n}") for n in range(7, 13)],
    **{"last": 12, "where": "Questions 7 to 12 of 24", "action": "/p/assessment/asm_1/7"},
    **{"next_url": "/p/assessment", "back": "/p/assessment/asm_1/1"},
    **(part(1, 6) | ADDRESSES),
)
GAPS = STATEMENTS | {
    "questions": [question(7, "answer-7", error="Choose one."), question(8, "answer-8")],
    "errors": [{"field": "answer-7-1", "number": 7, "text": "Choose one."}],
}
SEVERAL_GAPS = STATEMENTS | {
    "questions": [question(n, f"answer-{n}", error="Choose one.") for n in range(7, 13)],
    "missing": [{"field": f"answer-{n}-1", "number": n} for n in range(7, 13)],
}


def puzzle(**more):
    return STATEMENTS | {
        "section": {"code": "aptitude", "title": "Puzzles"},
        "questions": [question(25, "answer", **{"lines": ["2, 5, 8, ?"]} | more)],
        **{"last": 25, "where": "Question 1 of 12", "back": ""},
        **part(2),
    }


PUZZLE = puzzle()
SUBJECTS = page(
    "question",
    options=question(0, "answer")["options"],
    **({"action": "/p/assessment/asm_1/subjects"} | part(1) | ADDRESSES),
)
IDEAS = page(
    "ideas",
    departments=[
        ("Science", [{"number": 1, "value": "PHY", "label": "B.Sc. Physics"}], False),
        ("", [{"number": 2, "value": "BA", "label": "B.A.", "checked": True}], True),
    ],
    **{"asks_unlisted": True, "unlisted": False},
    **({"most": 3, "action": "/p/assessment/asm_1/ideas"} | part(3) | ADDRESSES),
)
ANSWERED_IDEAS = {
    "ideas": [{"name": "B.Sc. Physics", "fit": "Fits well", "why": ["You enjoy physics."]}],
    **{"named": ["PHY"], "unlisted": True},
}
EXAMPLE = {
    "title": {"en": "A table"},
    "text": {"en": "How many cups of tea?"},
    "passage": {"en": ["A canteen counts its cups."]},
    "options": [{"label": {"en": "60"}}, {"label": {"en": "70"}}],
    "answer": {"en": "60"},
    "explanation": {"en": "It says so beside tea."},
}


def drawn(figure, pictures=False):
    """Return the context of a puzzle with this figure, and with pictures to choose from."""
    options = [{"label": {"en": letter}} for letter in "ABC"]
    if pictures:
        for option, paths in zip(options, CELLS, strict=True):
            option["figure"] = {"kind": "cell", "paths": paths}
    content = EXAMPLE | {"figure": FIGURES[figure], "options": options}
    offered = [{"value": number, **option} for number, option in enumerate(options, 1)]
    shown = describe_question(content, offered, "en", 25, "answer")
    questions = [shown | {"is_replaceable": pictures}]
    return PUZZLE | {"questions": questions, "is_replaceable": pictures}


def solved(figure):
    example = describe_example({**EXAMPLE, "figure": FIGURES[figure]}, "en")
    return {"example": example | {"is_open": True}}


VISIBLE_UNTIL = datetime(2026, 11, 29, 10, tzinfo=UTC)
LINK_UNTIL = datetime(2027, 2, 21, 10, tzinfo=UTC)
PHYSICS = {
    **{"code": "PHY", "name": "B.Sc. Physics"},
    "about": "Motion, light and matter, in lectures and in the laboratory.",
    "leads_to": "Laboratory assistant · Teacher · Data analyst",
    **{"url": "https://college.example/physics", "apply_url": "https://college.example/apply"},
    "reasons": ["You liked finding out.", "It uses numbers a lot."],
    "counterpoint": "It has little to do with people.",
    "note": "It fits about as well as the course above it.",
    "facts": ["You can start it after class 12."],
    **{"number": 1, "has_more": True},
}
HISTORY = {"number": 2, "code": "HIS", "name": "B.A. History", "reasons": ["One."]}
KEEP = {
    **{"visible_until": VISIBLE_UNTIL, "forget_url": "/p/assessment/asm_1/forget"},
    "link_url": "/p/assessment/asm_1/result/link",
}
RESULT = page(
    "result",
    **{"given_name": "Asha", "fields": "machines and computers", "is_sure": True},
    leading=[{"name": "machines", "percent": 80}, {"name": "computers", "percent": 70}],
    finished_on=datetime(2026, 11, 21, 10, tzinfo=UTC),
    keep=KEEP,
    interests=[
        {"code": str(n), "label": f"Kind {n}", "percent": 10 * n, "answer": "Like it"}
        for n in range(6)
    ],
    highest=[{"label": "Kind 5", "text": "more of kind 5"}],
    reasoning={"lowest": "like most", "highest": "like most", "low": 40, "high": 70},
    preferences=[
        {"left": "alone", "right": "others", "label": "none", "percent": 50, "advice": ""},
        {"left": "plan", "right": "day", "label": "a plan", "percent": 10, "advice": "Leave gaps."},
    ],
    leanings=[{"label": "You lean towards a plan.", "advice": "Leave gaps."}],
    advice=["Ask yourself questions.", "Come back after some days."],
    return_url="https://college.example/portal",
    courses=[PHYSICS, HISTORY],
    best=PHYSICS,
    groups=[
        {"title": "Best matches", "courses": [PHYSICS]},
        {"title": "Also worth a look", "courses": [HISTORY]},
    ],
    **{"can_compare": True, "compare_url": "/p/assessment/asm_1/result/compare", "ticked": []},
    **{"action": "/p/assessment/asm_1/result", "recommended_count": 2},
)
NO_COURSES = {"courses": [], "groups": [], "best": None}
ZOOLOGY = {"dismissed": [{"code": "ZOO", "name": "B.Sc. Zoology"}]}
FLAT = {
    **{"flat": True, "fields": "machines", "is_sure": False},
    **{"leanings": [], "highest": [], "confidence_note": "Note."},
}
HURRIED = {
    **{"is_sure": False, "highest": [], "leanings": [], "confidence_note": "Note."},
    **{"reasoning": {"caution": "Too quick."}, "preferences_caution": "Too quick."},
}
UNSAID = {"best_closed": "A and B", "best_closed_count": 2, "unserved": "stage and music"}
COMPARED = page(
    "compare",
    courses=[PHYSICS, HISTORY],
    rows=[
        {"title": "Leads to", "texts": ["Teacher", ""]},
        {"title": "To think about", "texts": ["It has little to do with people.", "Much to read."]},
    ],
    back="/p/assessment/asm_1/result#courses",
)
PRIVATE_RESULT = RESULT | {**{"page": "private-result", "until": LINK_UNTIL, "question_count": 70}}
PRIVATE_LINK = page(
    "private-link",
    **{"action": "/p/assessment/asm_1/result/link", "newest": None, "days": 90},
    **{"visible_until": VISIBLE_UNTIL, "back": "/p/assessment/asm_1/result", "has_courses": True},
)
PRESENT = {"expires_at": LINK_UNTIL, "with_puzzles": True}
HAS_LINK = PRIVATE_LINK | {"newest": {"version": "2026-11-23T04:00:00+00:00"}, "link": PRESENT}
LINK_MADE = page(
    "private-link",
    address="https://assess.example/p/result?key=k",
    **{"until": LINK_UNTIL, "with_puzzles": True, "whatsapp_url": "https://wa.me/?text=t"},
    **{"mail_url": "mailto:?subject=s&body=b", "back": "/p/assessment/asm_1/result"},
)
CHOOSE = page(
    "choose",
    attempts=[
        {"id": f"asm_{number}", "given_name": name, "url": f"/p/assessment/asm_{number}"}
        | {"is_open": is_open, "answered": 14, "total": 70}
        | {"forget_others_url": f"/p/assessment/asm_{number}/forget-others"}
        for number, name, is_open in ((1, "Asha", True), (2, "Ravi", False))
    ],
)
FORGET = page(
    "forget",
    action="/p/assessment/asm_1/forget",
    **{"link_url": "/p/assessment/asm_1/result/link", "back": "/p/assessment/asm_1/result"},
)
RETRY = {"action": "/p/assessment/asm_1/7", "fields": [("answer", "3")]}
REFUSED = page("error-403", project_name="", retry=RETRY)
AGE = {"asks_age": True}
NO_GUARDIAN = {"guardian_name": "Write a name.", "guardian_contact": "Write a number."}
MINOR = {"consent": "yes", "age": "minor", "guardian_name": "", "guardian_contact": "9"}
LINK_STATES = ("in-use", "finished", "ended", "cancelled", "expired", "closed")
BY_TEMPLATE = {
    "student/landing.html": {
        "landing": LANDING,
        "landing, no consent": refused({"consent": "Tick the box."}),
        "landing, open attempt": LANDING | {"open_attempt": OPEN},
        "landing, open elsewhere": LANDING | {"open_attempt": OPEN | {"is_held": False}},
        "landing, nothing to continue": refused({"start": "It has ended."}, consent="yes"),
        "landing, age": LANDING | AGE,
        "landing, age and open attempt": LANDING | AGE | {"open_attempt": OPEN},
        "landing, no age": refused({"age": "Say it."}, consent="yes") | AGE,
        "landing, no guardian": refused(NO_GUARDIAN, **MINOR) | AGE,
        "landing, done before": LANDING | {"completed_before": True},
        "landing, no courses": LANDING | {"heading": "What you enjoy", "course_count": 0},
    },
    "student/section.html": {
        "section": SECTION,
        "section after the interests": SECTION | {"enjoyed": ["machines", "computers"]},
        "section before pictures": SECTION | {"can_replace_pictures": True},
        "first section": SECTION | part(1),
    },
    "student/subjects.html": {
        "subjects": SUBJECTS,
        "subjects without answer": SUBJECTS
        | {"error": "Choose one."}
        | error("answer-1", "Choose."),
    },
    "student/ideas.html": {
        "ideas": IDEAS,
        "something that is not listed": IDEAS | {"unlisted": True},
        "too many ideas": IDEAS | {"error": "Choose at most 3."} | error("course-1", "At most 3."),
    },
    "student/question.html": {
        "statements": STATEMENTS,
        "statements with gaps": GAPS,
        "statements with several gaps": SEVERAL_GAPS,
        "last page": STATEMENTS | {"last": 44},
        "puzzle": PUZZLE,
        "puzzle without answer": puzzle(error="Choose one.") | error("answer-1", "Choose."),
        "puzzle about a table": drawn("table") | solved("table"),
        "puzzle about a chart": drawn("bars") | solved("bars"),
        "puzzle of pictures": drawn("matrix", pictures=True) | solved("matrix"),
        "locked puzzle": puzzle(locked=True, lines=[]) | {"is_locked": True},
    },
    "student/leave.html": {"leave": page("leave", action="/l", assessment_id="asm_1", back="/p")},
    "student/left.html": {"left": page("left")},
    "student/result.html": {
        "result": RESULT,
        "flat result": RESULT | FLAT,
        "hurried result": RESULT | HURRIED,
        "result with gaps": RESULT | UNSAID,
        "result beside students": RESULT | {"compared_with_students": True},
        "result with a wide range": RESULT
        | {"reasoning": {"lowest": "below", "highest": "above", "low": 22, "high": 81}},
        "result with removed courses": RESULT | ZOOLOGY,
        "result with every course removed": RESULT | ZOOLOGY | NO_COURSES | {"can_compare": False},
        "result with nothing to compare": RESULT
        | error("compare-ticked", "Tick two.")
        | {"ticked": ["PHY"]},
        "result without courses": RESULT | NO_COURSES,
        "result with courses that need other subjects": RESULT
        | {"other_subjects": [{"name": "B.Sc. Botany", "subjects": "Requires biology."}]},
        "result with named courses": RESULT | ANSWERED_IDEAS,
        "result with a private link": RESULT | {"keep": KEEP | {"link_until": LINK_UNTIL}},
    },
    "student/compare.html": {"compare": COMPARED},
    "student/private_result.html": {
        "private result": PRIVATE_RESULT,
        "private result without courses": PRIVATE_RESULT | NO_COURSES,
        "hurried private result": PRIVATE_RESULT | HURRIED | UNSAID,
        "private result with named courses": PRIVATE_RESULT | ANSWERED_IDEAS,
        "private result with puzzles": PRIVATE_RESULT | {"with_puzzles": True},
    },
    "student/private_link.html": {
        "private link": PRIVATE_LINK,
        "private link there": HAS_LINK,
        "private link to a result without courses": PRIVATE_LINK | {"has_courses": False},
        "private link ended": PRIVATE_LINK | {"newest": HAS_LINK["newest"]},
        "private link changed": HAS_LINK | error("make", "It has changed."),
    },
    "student/private_link_made.html": {"private link made": LINK_MADE},
    "student/forget.html": {
        "forget": FORGET,
        "forget with a private link": FORGET | {"has_link": True},
    },
    "student/forgotten.html": {"forgotten": page("forgotten", project_name="")},
    "student/choose.html": {"choose": CHOOSE},
    "errors/refused_form.html": {
        "form without a cookie": REFUSED,
        "form refused at the start": REFUSED | {"has_cookie": True, "is_start": True},
    },
    **{
        f"errors/{name}.html": {f"error {name}": page(f"error-{name}", project_name="")}
        for name in (400, 404, 500, 503)
    },
    "errors/foreign_form.html": {"foreign form": page("error-403", project_name="")},
    "student/ended.html": {
        "ended": page("error-409", home_url="/p/assessment/asm_1"),
        "finished": page("error-409", home_url="/p/assessment/asm_1", is_completed=True),
    },
    **{
        f"student/{name}.html": {name: page("error-404")}
        for name in ("not_in_this_browser", "too_many_tries", "unknown_link", "unknown_result")
    },
    "student/link_unavailable.html": {
        state: page("link-unavailable", reason=state) for state in LINK_STATES
    },
}
STATES = {
    state: (template, context)
    for template, states in BY_TEMPLATE.items()
    for state, context in states.items()
}
