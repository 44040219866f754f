"""What a file changes, compared in memory."""

from dataclasses import replace

import pytest

from assessments.catalogue.plans import edit, plan_courses, plan_rows
from measurement.courses import CourseData

BOTANY = CourseData("BOT", "B.Sc. Botany", 1, fields=("nature",))
LAW = CourseData("LAW", "Law", 2, fields=("law",), department="Law", about={"en": "Rules."})
OLD = CourseData("OLD", "B.A. History", 3, fields=("writing",), is_active=False)
TODAY = [BOTANY, LAW, OLD]


def active(plan):
    return {course.code: course.name for course in plan.courses if course.is_active}


def rows(*names, **columns):
    return [{"name": name, **columns} for name in names]


def test_each_course_is_added_changed_deactivated_or_unchanged():
    plan = plan_rows(
        TODAY,
        [
            {"code": "bot", "name": "B.Sc. Botany", "order": 1},
            {"code": "OLD", "name": "B.A. History", "order": 3, "department": "Arts"},
            {"code": "NEW", "name": "Zzz"},
        ],
    )

    [old, before_and_after] = plan.changed[0]
    assert (old.code, before_and_after["is_active"]) == ("OLD", (False, True))
    assert before_and_after["department"] == ("", "Arts")
    assert [course.code for course in plan.deactivated] == ["LAW"]
    [new] = plan.added
    assert (new.code, new.order, new.fields, new.is_active) == ("NEW", 3, (), False)
    assert plan.counts == {"added": 1, "changed": 1, "deactivated": 1, "unchanged": 1}
    assert [course.code for course in plan.touched] == ["LAW", "NEW", "OLD"]
    assert plan.deactivates_many


def test_a_file_that_only_adds_keeps_the_others_and_comes_after_them():
    plan = plan_rows(TODAY, rows("Law", "B.Com."), add=True)

    assert active(plan) == {"BOT": "B.Sc. Botany", "LAW": "Law", "C001": "B.Com."}
    assert [course.order for course in plan.courses] == [1, 2, 3, 5]
    assert plan.counts == {"added": 1, "changed": 0, "deactivated": 0, "unchanged": 2}


def test_a_row_without_a_code_is_the_course_of_its_name_an_active_one_first():
    again = replace(OLD, code="C001", is_active=True)

    plan = plan_rows([*TODAY, again], rows("b.a.  history", "B.Sc Botany", "Hindi", "Urdu"))

    assert set(active(plan)) == {"C001", "BOT", "C002", "C003"}


@pytest.mark.parametrize(
    ("today", "keep", "kept"),
    [
        ([], False, ["1"]),
        ([], True, ["1", "2"]),
        (["2"], False, ["2"]),
        (["2"], True, ["1", "2"]),
        (["1", "2"], False, ["1", "2"]),
    ],
)
def test_of_rows_with_one_name_one_counts_unless_all_are_courses_already(today, keep, kept):
    courses = [CourseData(code, "B.Com.", fields=("accounts",)) for code in today]
    file = [{"code": code, "name": name} for code, name in (("1", "B.Com"), ("2", "B.Com."))]

    plan = plan_rows(courses, file, keep_repeated=keep)

    assert list(active(plan)) == kept
    assert plan.repeated == ({} if len(today) == 2 else {"B.Com": 2})


def test_a_new_name_that_occurs_twice_takes_no_course_of_another_name():
    shifts = [CourseData(code, "B.Com.", fields=("accounts",)) for code in ("1", "2")]

    plan = plan_rows(shifts, rows("B.Com.", "B.Com.", "B.B.A.", "B.B.A."))

    assert list(active(plan).values()) == ["B.Com.", "B.Com.", "B.B.A."]


def test_a_course_has_its_code_whether_one_or_all_of_a_name_are_kept():
    file = rows("Business", "Business", "History")

    one, both = (plan_rows([], file, keep_repeated=keep) for keep in (False, True))

    assert one.courses[-1].code == both.courses[-1].code == "C003"


def test_without_codes_all_rows_of_a_name_are_kept_and_found_again():
    plan = plan_rows([], rows("B.Com.", "B.Com.", "Law"), keep_repeated=True)
    again = plan_rows(plan.courses, rows("B.Com.", "B.Com.", "Law"))

    assert active(plan) == {"C001": "B.Com.", "C002": "B.Com.", "C003": "Law"}
    assert not again.touched


def test_no_row_takes_the_code_of_another():
    coded = [{"code": "C001", "name": "Art"}, {"code": "LAW", "name": "Urdu"}]

    plan = plan_rows([LAW], [*rows("Law", "Botany"), *coded])

    assert active(plan) == {"C002": "Law", "C003": "Botany", "C001": "Art", "LAW": "Urdu"}


def test_of_codes_that_differ_by_case_alone_the_active_course_is_meant():
    old = replace(BOTANY, code="bot", is_active=False)

    plan = plan_rows([old, BOTANY], [{"code": "Bot", "name": "Botany"}])

    assert active(plan) == {"BOT": "Botany"}
    assert len(plan.courses) == 2


def test_a_renamed_course_that_lost_its_field_is_not_missing_and_gets_another():
    commerce = CourseData("COM", "B.Com.", fields=("accounts",), fields_proposed=True)

    plan = plan_rows([commerce], [{"code": "COM", "name": "B.A."}])

    assert (plan.deactivated, plan.deactivates_many) == ([], False)
    [(course, columns)] = plan.changed
    assert columns["is_active"] == (True, False)
    assert plan.without_field == [course]
    [chosen] = plan.choose_fields({"COM": "writing"}, confirmed=False).courses
    assert (chosen.fields, chosen.is_active) == (("writing",), True)


def test_an_earlier_catalogue_leaves_inactive_courses_as_they_are():
    plan = plan_courses(TODAY, [replace(BOTANY, name="Botany")])

    assert active(plan) == {"BOT": "Botany"}
    assert [course for course in plan.courses if course.code == "OLD"] == [OLD]


def test_an_edit_keeps_what_was_chosen_and_proposes_the_rest():
    proposed = edit(CourseData("A", ""), {"name": "M.Sc. Physics"})
    assert proposed.fields[0] == "physical_science"
    assert (proposed.fields_proposed, proposed.entry_level) == (True, "degree")

    renamed = edit(proposed, {"name": "B.A. Music", "fields": []})
    assert (renamed.fields[0], renamed.entry_level) == ("performing", "degree")
    chosen = edit(renamed, {"fields": ["art"]})
    assert (chosen.fields, chosen.fields_proposed) == (("art",), False)
    assert edit(chosen, {"name": "M.Sc. Physics"}).fields == ("art",)
    assert not edit(CourseData("B", ""), {"name": "Zzz"}).is_active
    texts = edit(LAW, {"about": {"hi": "नियम।", "en": ""}}).about
    assert texts == {"hi": "नियम।"}


def test_an_editor_chooses_the_main_field_and_confirms_the_others():
    plan = plan_rows([BOTANY], rows("Zzz", "B.Sc. Botany", "B.Sc. Physics"))

    chosen = plan.choose_fields({"C001": "art", "BOT": "art"}, confirmed=True)

    fields = {course.code: course.fields[:1] for course in chosen.courses}
    assert fields == {"C001": ("art",), "BOT": ("nature",), "C002": ("physical_science",)}
    assert not any(course.fields_proposed for course in chosen.courses)
    assert all(course.is_active for course in chosen.courses)


def test_a_column_that_is_left_out_keeps_what_a_course_has_and_an_empty_cell_clears_it():
    chosen = replace(LAW, streams=("arts",), numerical_level=2, numerical_importance=1)
    history = replace(OLD, code="HIS", name="M.A. History", is_active=True)
    columns = [
        {"code": "LAW", "name": "Laws"},
        {"code": "his", "name": "M.A. History", "entry_level": "", "fields": []},
        {"code": "N", "name": "MBA", "entry_level": "class-12", "fields": ["art", "business"]},
        {"code": "M", "name": "M.Sc. Botany", "entry_level": ""},
    ]
    kept, old, given, proposed = plan_rows([chosen, history], columns).courses
    assert kept == replace(chosen, name="Laws", order=1)
    assert edit(chosen, {"department": "", "streams": []}) == replace(
        chosen, department="", streams=()
    )
    # Only a new course's level is proposed from its name, and fields that nobody has chosen.
    assert (old.code, old.entry_level, old.fields) == ("HIS", "", ("writing",))
    assert (given.entry_level, given.fields) == ("class-12", ("art", "business"))
    assert (proposed.entry_level, proposed.fields_proposed) == ("degree", True)
