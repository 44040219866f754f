"""An uploaded catalogue file: its columns and sheets are chosen, for an hour, by its user alone."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import Upload
from tests.assessments.catalogue_pages import EDITOR, link, names, now, press, send, url, words
from tests.assessments.catalogues import file, sheets
from tests.support.admin_forms import opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(staff):
    return staff(*EDITOR)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "The submitted file is empty."),
        (b"\xff\xfe\x00", "The file is not UTF-8 text"),
        (b"x" * (4 * 1024 * 1024 + 1), "The file is larger than 4 MB."),
    ],
    ids=["empty", "no text", "large"],
)
def test_a_file_that_cannot_be_read_is_refused_beside_its_input(editor, project, content, says):
    answer = send(editor, project, content)

    assert answer.status_code == 200
    assert says in words(answer)
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a,b\nc,d\n", "No column for the name was found"),
        (file("BOT,,x", "BOT,Botany,1"), "Name is empty: row 2."),
    ],
)
def test_faults_are_named_beside_the_columns_and_nothing_is_saved(editor, project, content, says):
    answer = send(editor, project, content)

    upload = Upload.objects.get()
    assert answer.request["PATH_INFO"] == url("columns", project, upload)
    assert says in words(answer)
    for page in ("columns", "compare"):
        editor.post(url(page, project, upload))
    assert not project.courses.exists()


def test_columns_are_chosen_once_and_the_file_is_not_chosen_anew(editor, project):
    content = file("7,BOT,Botany", "8,LAW,Law", header="Roll,Short,Long")

    page = send(editor, project, content)
    chosen = {"header": "1", "column-code": "Short", "column-name": "Long"}
    page = editor.post(page.request["PATH_INFO"], chosen, follow=True)

    assert "Columns: Name (Long), Code (Short). Not used: Roll." in words(page)
    again = editor.get(link(page, "Choose other columns"))
    assert again.context["form"]["column-name"].value() == "Long"
    press(editor, page)
    assert names(project) == {"BOT": "Botany", "LAW": "Law"}
    assert not Upload.objects.exists()


def test_sheets_are_ticked_and_read_together(editor, project):
    content = sheets(
        UG=[["A college"], ["Course"], ["B.A. History"]], PG=[["Course"], ["M.A. History"]]
    )
    page = send(editor, project, content, "courses.xlsx")
    assert page.context["form"]["sheets"].value() == ["UG", "PG"]

    sent = {"sheets": ["UG", "PG"], "header": "2", "column-name": "Course"}
    press(editor, editor.post(page.request["PATH_INFO"], sent, follow=True))
    assert set(names(project).values()) == {"B.A. History", "M.A. History"}


def test_what_was_recognised_in_one_sheet_is_no_choice_for_another(editor, project):
    content = sheets(
        UG=[["Course Code", "Course Name"], ["U1", "B.A. History"]],
        PG=[["Programme", "Programme Code"], ["M.A. History", "P1"]],
    )

    page = send(editor, project, content, "courses.xlsx")
    path = page.request["PATH_INFO"]
    press(editor, editor.post(path, opened(editor, path).sent(), follow=True))

    assert names(project) == {"U1": "B.A. History", "P1": "M.A. History"}


def test_other_headings_let_the_columns_be_recognised_anew(editor, project):
    page = send(editor, project, b"Kurs\nBotany\nLaw\n")

    sent = {"header": "0", "column-name": "Kurs"}
    page = editor.post(page.request["PATH_INFO"], sent, follow=True)
    assert page.context["form"]["column-name"].value() == "A"
    press(editor, editor.post(page.request["PATH_INFO"], {**sent, "column-name": "A"}, follow=True))

    assert {course.name for course in now(project).values()} == {"Kurs", "Botany", "Law"}


def test_a_file_opens_for_its_user_alone_for_an_hour_and_can_be_given_up(
    editor, staff, project, other_project
):
    page = send(editor, project, file("BOT,Botany,1"))
    upload = Upload.objects.get()
    compare, columns = url("compare", project, upload), url("columns", project, upload)

    def opens(client, address=compare):
        return client.get(address).status_code == 200

    assert opens(editor)
    assert not opens(staff(*EDITOR))
    assert not opens(editor, url("compare", other_project, upload))
    made, late = upload.created_at, upload.created_at - timedelta(hours=1)
    Upload.objects.update(created_at=late)
    assert not opens(editor)
    assert not opens(editor, columns)
    Upload.objects.update(created_at=made)
    editor.post(columns, {"discard": ""})
    assert not Upload.objects.exists()
    assert "This file is no longer available" in words(press(editor, page))
    assert not project.courses.exists()


def test_a_heading_that_no_database_stores_or_page_shows_is_cut(editor, project):
    page = send(editor, project, b"Name,\0x" + b"y" * 10_000 + b"\nBotany,1\n")

    assert "Not used: xyyy" in words(page)
    assert len(Upload.objects.get().notes[-1]) < 400
    press(editor, page)
    assert list(names(project).values()) == ["Botany"]


def test_what_another_page_reads_otherwise_is_not_loaded(editor, project):
    first = send(editor, project, file("7,BOT,Botany", "8,LAW,Law", header="Roll,Short,Name"))
    columns = url("columns", project, Upload.objects.get())
    editor.post(columns, {"header": "1", "column-name": "Short"})

    refused = press(editor, first)

    assert "The columns were changed in another tab." in words(refused)
    assert not project.courses.exists()
    press(editor, refused)
    assert set(names(project).values()) == {"BOT", "LAW"}


def test_choices_do_not_bring_back_a_file_that_was_used(editor, project, monkeypatch):
    send(editor, project, file("BOT,Botany,1"))
    columns, read = url("columns", project, Upload.objects.get()), Upload.read

    def used_meanwhile(upload, kind):
        Upload.objects.all().delete()
        return read(upload, kind)

    monkeypatch.setattr(Upload, "read", used_meanwhile)
    editor.post(columns, {"header": "1", "column-name": "name"})

    assert not Upload.objects.exists()


def test_a_sheet_that_breaks_below_its_beginning_is_a_fault(editor, project):
    good, bad = [["Course"], ["Botany"]], [["Course"], *[[number] for number in range(140)]]
    content = sheets(UG=good, PG=bad)
    broken = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(broken, "w") as new:
        for part in old.namelist():
            new.writestr(part, old.read(part).replace(b"<v>130</v>", b"<v>x</v>"))

    page = send(editor, project, broken.getvalue(), "courses.xlsx")
    sent = {"sheets": ["UG", "PG"], "header": "1"}
    page = editor.post(page.request["PATH_INFO"], sent, follow=True)

    assert "The workbook can't be read." in words(page)


def test_the_next_upload_deletes_those_of_an_hour_ago(editor, project):
    send(editor, project, file("BOT,Botany,1"))
    Upload.objects.update(created_at=timezone.now() - timedelta(hours=1))

    send(editor, project, file("LAW,Law,1"))

    assert [each.rows[0]["code"] for each in Upload.objects.all()] == ["LAW"]
