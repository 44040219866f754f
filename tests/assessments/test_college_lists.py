"""Lists of courses as colleges keep them, made by hand after real ones, through the page."""

import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from assessments.models import Course
from tests.assessments.test_catalogue_admin import EDITOR, now, press, send, words

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LISTS = Path(__file__).parent / "college_lists"


@pytest.fixture
def editor(staff):
    return staff(*EDITOR)


def load(editor, project, name, content=b""):
    """Load a list, and press the button if the page compares it. Return what the page said."""
    page = send(editor, project, content or (LISTS / name).read_bytes())
    if "seen" in page.text:
        press(editor, page)
    return words(page)


def mended(name, **cells):
    book = load_workbook(LISTS / name)
    sheet = next(each for each in book if each.sheet_state == "visible")
    for place, value in cells.items():
        sheet[place] = value
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def fields(project):
    return {each.name: each.fields for each in project.courses.all()}


def test_titles_hidden_sheets_zeros_and_errors_of_a_workbook(editor, project):
    refused = load(editor, project, "1-college-list.xlsx")

    assert "Code is empty: row 8 (B.Sc. Zoology)." in refused
    assert "Name is the error #N/A: row 10" in refused
    assert not Course.objects.exists()

    content = mended("1-college-list.xlsx", B8="012", C10="B.A. History")
    said = load(editor, project, "", content)

    assert "Sheet Courses" in said
    assert "Header in row 3" in said
    names = {each.code: each.name for each in project.courses.all()}
    assert names["001"] == "B.Sc. Computer Science"
    assert not any("otal" in name for name in names.values())
    waiting = [each.name for each in project.courses.filter(fields=[])]
    assert waiting == ["Bachelor of Arts (B.A.)"]
    assert not Course.objects.get(name=waiting[0]).is_active
    found = fields(project)
    assert next(found[name] for name in found if "Bio" in name)[0] == "life_science"


def test_fields_and_subjects_as_the_pages_spell_them(editor, project):
    load(editor, project, "5-words-of-the-pages.xlsx")

    courses = now(project)
    assert len(courses) == 3
    assert all(each["fields"] for each in courses.values())
    assert any(each["required_streams"] for each in courses.values())
    assert not project.courses.filter(fields_proposed=True).exists()
