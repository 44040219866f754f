"""Students invited by list: the rows, the links, and who may."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from openpyxl import load_workbook

from assessments.desk.invitations import invitations, invite
from assessments.models import AssessmentLink, Upload
from partners.models import AuditEvent, Refused
from tests.assessments.attempts import issue, marked_completed, started, use
from tests.assessments.catalogues import workbook_of
from tests.factories import BY, AccessTokenFactory
from tests.support.threads import race

pytestmark = [pytest.mark.django_db]

HEADINGS = "Student Name,E-mail ID,Mobile No.,Application No."
ROWS = (
    "Asha Rao,asha@example.com,98765 43210,APP-1",
    "Ravi Nair,ravi@example.com,+91 98450 12345,",
)
EVERYBODY = ["link", "inside", "completed"]
RIGHTS = ("partners.view_project", "assessments.issue_link")


def listed(*rows, headings=HEADINGS):
    return "\n".join([headings, *rows])


@pytest.fixture
def inviter(staff):
    return staff(*RIGHTS)


def give(client, project, pasted="", **more):
    """Send a list, and follow to the page that says what was read, or what is wrong."""
    sent = {"pasted": pasted, **more}
    return client.post(f"/admin/partners/project/{project.pk}/invite/", sent, follow=True)


def send(client, project, pasted="", **ticked):
    return press(client, give(client, project, pasted), **ticked)


def press(client, page, **ticked):
    sent = {"read": page.context["upload"].reading, "file": "csv", **ticked}
    return client.post(page.request["PATH_INFO"], sent)


def links_in(answer):
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8", answer.getvalue().decode()
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


def test_each_student_gets_a_link_that_works_and_is_audited(inviter, project, browser, bank):
    answer = send(inviter, project, listed(*ROWS))

    assert "no-store" in answer["Cache-Control"]
    asha, ravi = links_in(answer)
    given = {"name": "Asha Rao", "email": "asha@example.com", "reference": "APP-1"}
    assert asha.items() >= given.items()
    assert (asha["mobile"], ravi["mobile"]) == ("+919876543210", "+919845012345")
    assert asha["can be started until"].endswith(" IST")
    assert browser.start(asha["link"]).name == "section"
    stored = AssessmentLink.objects.order_by("pk")
    assert [link.student.email for link in stored] == ["asha@example.com", "ravi@example.com"]
    assert [link.access_token for link in stored] == [None, None]
    for link in stored:
        event = AuditEvent.objects.about(link).get(action="link.issued")
        assert (event.reason, event.project) == ("invited by list", project)
        assert event.actor.startswith("staff")


def test_a_workbook_is_taken_too(inviter, project):
    rows = [*(row.split(",") for row in ROWS), ["Mira Rao", "mira@example.com", "9876512347.0", ""]]
    content = workbook_of([["Students"], HEADINGS.split(","), *rows])

    page = give(inviter, project, file=SimpleUploadedFile("students.xlsx", content))

    assert [each["mobile"] for each in links_in(press(inviter, page))][2] == "+919876512347"


def test_five_hundred_students_under_hindi_headings_with_the_name_in_two_columns(inviter, project):
    lines = [f"छात्र{n},वर्मा,s{n}@example.com,98765 {n:05},A-{n}" for n in range(500)]

    page = give(inviter, project, listed(*lines, headings="नाम,उपनाम,ईमेल,मोबाइल नंबर,App. No"))
    assert AssessmentLink.objects.count() == 0
    made = links_in(press(inviter, page))

    assert len(made) == 500
    assert (made[7]["name"], made[7]["reference"]) == ("छात्र7 वर्मा", "A-7")


def test_unknown_headings_are_chosen_and_the_list_is_not_sent_anew(inviter, project):
    page = give(inviter, project, listed(*ROWS, headings="A,B,C,D"))

    columns = {"column-name": "A", "column-email": "B", "column-mobile": "C"}
    page = inviter.post(page.request["PATH_INFO"], {"header": "1", **columns}, follow=True)

    assert "2 students" in page.getvalue().decode()
    assert len(links_in(press(inviter, page))) == 2


def test_a_list_opens_for_its_user_alone_and_makes_its_links_once(inviter, staff, project):
    page = give(inviter, project, listed(*ROWS))

    assert press(staff(*RIGHTS), page, also=EVERYBODY).status_code == 302
    assert AssessmentLink.objects.count() == 0
    assert len(links_in(press(inviter, page, also=EVERYBODY))) == 2
    assert not Upload.objects.exists()
    assert press(inviter, page, also=EVERYBODY).status_code == 302
    assert AssessmentLink.objects.count() == 2


FAULTS = [
    ("", "Paste the list, or"),
    (listed(",asha@example.com,9876543210,"), "Name is empty: row 2."),
    (listed("1E+09,asha@example.com,9876543210,"), "Name is the number 1E+09, which a spread"),
    (listed("A" * 201 + ",a@example.com,9876543210,"), "Name is longer than 200 characters"),
    (listed("Asha,asha,9876543210,"), "E-mail is no complete e-mail address, such as"),
    (listed("Asha,asha@example.com,12,"), "Mobile is no number of 6 to 20 digits"),
    (listed("undefined,asha@example.com,9876543210,"), "Name is a placeholder, as a template"),
    (listed("Asha,%EMAIL%@example.com,9876543210,"), "E-mail is a placeholder, as a template"),
    (listed("Asha,asha@example.com,9876543210,None"), "Reference has other characters than A-Z"),
    (listed("Asha,asha@example.com,-141884,"), "Mobile lost digits, as a spreadsheet"),
    (listed("Asha,asha@example.com,9876543210,A B"), "Reference has other characters than A-Z"),
    (listed(ROWS[0], ROWS[0].upper()), "Rows 2-3 have the same e-mail address."),
    *((listed(), "The list has headings but no student."), (listed(*["x,x,x,"] * 3), "rows 2-4.")),
    ("Name,Phone\nAsha,98", "No column for the e-mail was found"),
    ("E-mail\nasha@example.com", "No column for the mobile was found"),
    (listed(*(f"A,a{n}@example.com,9876543210," for n in range(2001))), "more than 2,000"),
]


def test_every_fault_is_named_and_nothing_is_made(inviter, project):
    for pasted, says in FAULTS:
        assert says in give(inviter, project, pasted).getvalue().decode().replace("&#x27;", "'")
    assert not AssessmentLink.objects.exists()


def test_who_has_a_link_or_an_attempt_gets_another_only_if_asked_for(inviter, project, bank):
    marked_completed(started(project, email="done@example.com"))
    started(project, email="inside@example.com")
    issue(project, email="inside@example.com")
    issue(project, email="link@example.com")
    emails = [f"{each}@example.com" for each in ("done", "inside", "link", "new")]
    rows = [f"Asha,{email},98765432{n:02}," for n, email in enumerate(emails)]

    page = give(inviter, project, listed(*rows))
    with_none = links_in(press(inviter, page))
    standings = {str(each): count for each, count in page.context["standings"]}
    page = give(inviter, project, listed(*rows))
    with_one = links_in(press(inviter, page, also=["inside"]))

    assert standings == {"link": 1, "inside": 1, "completed": 1}
    assert [row["email"] for row in with_none] == emails[3:]
    assert [row["email"] for row in with_one] == [emails[1]]


def test_a_list_of_which_nobody_is_left_makes_nothing_and_may_be_sent_again(inviter, project):
    links_in(send(inviter, project, listed(*ROWS)))
    page = give(inviter, project, listed(*ROWS))

    refused = press(inviter, page)

    assert "Nothing was made" in refused.getvalue().decode()
    assert AssessmentLink.objects.count() == 2
    assert len(links_in(press(inviter, refused, also=["link", "completed"]))) == 2


def test_a_workbook_of_links_has_texts_alone(inviter, project):
    answer = send(inviter, project, listed("=1+1,asha@example.com,+919845012345,0012"), file="xlsx")

    assert answer.status_code == 200
    assert answer["Content-Disposition"].endswith('.xlsx"')
    [header, row] = load_workbook(io.BytesIO(answer.getvalue())).active.iter_rows()
    assert {(cell.data_type, cell.number_format) for cell in row} == {("s", "@")}
    assert [cell.value for cell in row[:4]] == ["=1+1", "asha@example.com", "+919845012345", "0012"]
    assert header[5].value == "can be started until"


def test_the_project_shows_its_invitations_with_what_became_of_the_links(
    inviter, project, browser, bank
):
    asha, _ = links_in(send(inviter, project, listed(*ROWS)))
    browser.start(asha["link"])
    issue(project, email="later@example.com")
    by_a_token = {"email": "same-moment@example.com", "access_token": AccessTokenFactory.create()}
    use(issue(project, AssessmentLink.objects.earliest("pk").issued_at, **by_a_token)[0])

    page = inviter.get(f"/admin/partners/project/{project.pk}/change/").getvalue().decode()

    [shown] = invitations(project)
    counts = {"made": 2, "opened": 1, "started": 1, "finished": 0}
    assert shown.items() >= counts.items()
    assert "asha" not in page
    [row] = re.findall(r"<tr>(.*?)</tr>", page.partition("<h2>Invitations")[2], re.S)[1:]
    assert re.findall(r"<td[^>]*>(.*?)</td>", row) == [str(each) for each in counts.values()]
    event = AuditEvent.objects.about(project).get(action="project.invited")
    assert event.details == {"counts": {"links": 2}}


def test_links_that_can_no_longer_be_started_need_no_question(inviter, project):
    links_in(send(inviter, project, listed(*ROWS)))
    AssessmentLink.objects.update(
        issued_at=timezone.now() - timedelta(days=9), expires_at=timezone.now() - timedelta(days=6)
    )

    assert len(links_in(send(inviter, project, listed(*ROWS)))) == 2


def test_a_closed_project_invites_nobody(inviter, project):
    project.close(by=BY)

    assert "The project is closed" in send(inviter, project, listed(*ROWS)).getvalue().decode()
    assert not AssessmentLink.objects.exists()


def test_nothing_of_a_list_is_logged(inviter, project, caplog):
    send(inviter, project, listed(*ROWS, "Meena,meena@example,9876543210,"))
    send(inviter, project, listed(*ROWS))

    assert not [word for word in ("asha", "98765", "token=") if word in caplog.text]


@pytest.mark.django_db(transaction=True)
def test_two_lists_at_once_make_one_link_a_student(project):
    student = {"name": "A", "email": "a@example.com", "mobile": "9876543210", "reference": ""}

    outcomes = race([lambda: invite(project, [student], by=BY)] * 2)

    assert sorted(isinstance(each, Refused) for each in outcomes) == [False, True]
    assert AssessmentLink.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_list_pressed_twice_at_once_makes_its_links_once(inviter, project):
    page = give(inviter, project, listed(*ROWS))

    answers = race([lambda: press(inviter, page, also=EVERYBODY)] * 2)

    assert sorted(answer["Content-Type"][:8] for answer in answers) == ["text/csv", "text/htm"]
    assert AssessmentLink.objects.count() == 2
