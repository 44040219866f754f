"""Where a student's and a guardian's data stand, and that no reason holds any of them."""

import logging
from functools import partial

import pytest
from django.db import IntegrityError, connection
from django.urls import reverse
from django.views.debug import SafeExceptionReporterFilter

from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.identity import secret_digest
from assessments.models.students import ReasonNamesThePerson
from config.logging import JSONFormatter
from partners.models import AuditEvent
from partners.models.projects import ConsentMode
from tests.assessments.attempts import (
    A_MINOR,
    DETAILS,
    GUARDIAN,
    MINOR,
    answer_until,
    completed,
    issue,
    token_of,
    use,
)
from tests.factories import BY, ProjectFactory, StudentFactory
from tests.support.browser import Browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]
FIND = "/admin/assessments/assessmentlink/find/"
PERSON = {
    "name": "Zarina Quill-Xavier",
    "email": "Zarina.Quill@Example.com",
    "mobile": "+91 98290 17365",
}
MODELS = (Student, AssessmentLink, Attempt)


@pytest.fixture
def project(db):
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


def dump():
    """Return all that the database holds, by every column of every table."""
    quoted = connection.ops.quote_name
    lines = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {quoted(table)}")  # noqa: S608  our own tables
            lines.append(f"{table} {cursor.fetchall()!r}")
    return "\n".join(lines)


def found(values, text):
    return [name for name, value in values.items() if value.lower() in text.lower()]


@pytest.fixture
def known(api, browser):
    """Let a minor go every way that leaves a trace, and staff try to leave one in a reason.

    Give what is known of them.
    """

    def link():
        url = api.link(**PERSON).json()["redirect-url"]
        Browser().open(url)
        return url

    def start(url):
        browser.start(url, start="again", **MINOR)
        return Attempt.objects.open().get()

    url = link()
    completed(start(url))
    answer_until(start(link()), 6)
    student, values = Student.objects.get(), {**PERSON, "number": "+919829017365", **GUARDIAN}
    for act in (
        partial(AssessmentLink.objects.issue_by_staff, student),
        Attempt.objects.open().get().close,
    ):
        for value in values.values():
            with pytest.raises(ReasonNamesThePerson):
                act(reason=f"{value} asked for it", by=BY)
        act(reason="asked for it on the phone", by=BY)
    answer_until(start(link()), 6)
    api.results(email=PERSON["email"])
    return {
        **values,
        "digest": secret_digest(token_of(link())),
        "digest of a used link": secret_digest(token_of(url)),
        "browser": Attempt.objects.order_by("pk")[0].browser_digest,
    }


def look_at_everything(staff):
    """Search for the student and open the pages on them."""
    for model in MODELS:
        page = f"admin:assessments_{model.__name__.lower()}_"
        row = model.objects.order_by("pk")[0]
        assert staff.get(reverse(f"{page}change", args=[row.pk])).status_code == 200
        staff.get(reverse(f"{page}changelist"))
    for question in (PERSON["email"], PERSON["mobile"]):
        staff.post(FIND, {"q": question})


@pytest.mark.slow
def test_a_dump_holds_the_person_before_an_erasure_and_nothing_after(known, admin_client):
    erase = reverse("admin:assessments_student_erase", args=[Student.objects.get().pk])
    look_at_everything(admin_client)
    admin_client.post(erase, {"reason": f"{PERSON['name']} asked, number 47-11"})
    before = dump()
    assert found(known, before) == list(known)
    assert "number 47-11" not in before  # a refused reason is kept nowhere

    admin_client.post(erase, {"reason": "letter"})

    assert Student.objects.get().is_erased
    assert found(known, dump()) == []
    look_at_everything(admin_client)
    # The search goes by the address; nothing keeps what was searched for.
    assert found(known, dump()) == []


def test_a_guardian_is_read_on_the_attempts_own_page_and_nowhere_else(
    browser, project, api, admin_client
):
    _, url = issue(project)
    browser.start(url, **MINOR)
    attempt = completed(Attempt.objects.get())

    def list_of(model):
        page = admin_client.get(reverse(f"admin:assessments_{model.__name__.lower()}_changelist"))
        return page.content.decode()

    change = reverse("admin:assessments_attempt_change", args=[attempt.pk])
    own_page = admin_client.get(change).content.decode()
    assert found(GUARDIAN, own_page) == list(GUARDIAN)
    assert "under 18" in own_page
    result = browser.open(f"/{project.project_id}/assessment")
    for value in GUARDIAN.values():  # nobody is found by it
        page = admin_client.post(FIND, {"q": value}).content.decode()
        assert "Nothing found." in page
        assert DETAILS["email"] not in page
    for text, shows in (
        *((list_of(model), DETAILS["email"]) for model in MODELS),
        (result.text, 'data-page="result"'),
        (Browser().open(issue(project)[1]).text, "Asha"),
        (api.results().content.decode(), attempt.assessment_id),
        (str(list(AuditEvent.objects.values())), "student.read"),
        (f"{attempt} {attempt!r}", attempt.assessment_id),
    ):
        assert shows in text
        assert found(GUARDIAN, text) == []


def test_a_start_that_fails_logs_no_guardian(project, browser, caplog, monkeypatch):
    """PostgreSQL repeats a refused row in its message; an error report has the posted fields."""

    def broken(*_):
        row = f"(1, {GUARDIAN['guardian_name']}, {GUARDIAN['guardian_contact']})"
        raise IntegrityError(f'violates check constraint "x"\nDETAIL:  Failing row contains {row}.')

    link, url = issue(project)
    monkeypatch.setattr(AssessmentLink, "_new_attempt", broken)
    browser.client.raise_request_exception = False

    with caplog.at_level(logging.DEBUG):
        response = browser.send(browser.open(url), MINOR).response

    assert response.status_code == 500
    lines = [JSONFormatter().format(record) for record in caplog.records]
    assert any("violates check constraint" in line for line in lines)
    assert found(GUARDIAN, "\n".join(lines)) == []
    reported = SafeExceptionReporterFilter().get_post_parameters(response.wsgi_request)
    assert found(GUARDIAN, str(reported)) == []
    assert reported["consent"] == "yes"
    link.refresh_from_db()
    assert link.used_at is None


# Reasons, which the audit trail keeps for years


@pytest.fixture
def student(project):
    """Give a minor, Asha Rao, with an open attempt and a link in an earlier name."""
    issue(project, name="Usha Iyer", mobile="+91 91234 56789")
    use(issue(project)[0], age=A_MINOR)
    return Student.objects.get()


def is_refused(student, reason):
    try:
        student.refuse_naming(reason)
    except ReasonNamesThePerson:
        return True
    return False


def test_names_and_numbers_are_refused(student):
    reasons = [
        *("Asha Rao wrote", "Asha's mother called", "ＡＳＨＡ wrote", "was Usha before"),
        *("mail of ASHA.RAO@example.com", "9876543201 asked", "called from +919876543201"),
        *("called from +91 98765-43201.", "९८७६५४३२०१ called", "from 91234 56789"),
        *(f"the mother, {GUARDIAN['guardian_name']}", f"reach {GUARDIAN['guardian_contact']}"),
        *("reach meena.rao", "", "asked for by letter", "Natasha from support asked", "raob"),
        "for example, as they wrote",
    ]
    assert [each for each in reasons if not is_refused(student, each)] == reasons[-5:]


@pytest.mark.parametrize(
    ("details", "refused", "taken"),
    [
        ({"name": "Li Bo"}, "li  bo wrote", "bo wrote"),
        ({"name": "आशा राव"}, "आशा ने लिखा", "आश ने लिखा"),
        ({"name": "राम\u200d"}, "राम ने", "रामा ने"),
        ({"name": "Zoë D’Souza"}, "d'souza wrote", "zo wrote"),
        ({"name": "X", "email": "k.iyer+lists@example.com"}, "k.iyer wrote", "lists wrote"),
        ({"name": "X", "mobile": "1234567"}, "from 12 34 567", "from 12345"),
        ({"name": "Usha", "mobile": "(    1"}, "usha", "on floor 1"),
    ],
)
def test_all_kinds_of_names(project, details, refused, taken):
    student = StudentFactory.create(project=project, **details)

    assert (is_refused(student, refused), is_refused(student, taken)) == (True, False)
