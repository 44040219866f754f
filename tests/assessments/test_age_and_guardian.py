"""A project may ask the age: nobody starts without an answer, nor a minor without a guardian."""

import re

import pytest

from assessments.models import Attempt, identity
from assessments.models.links import AgeMissing
from partners.models.projects import ConsentMode
from tests.assessments.attempts import A_MINOR, GUARDIAN, MINOR, issue, use
from tests.factories import ProjectFactory
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")

ADULT = {"age": "adult"}


@pytest.fixture
def project(db):
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


def stored():
    return Attempt.objects.values_list("is_minor", "guardian_name", "guardian_contact").get()


def test_it_is_asked_only_where_the_project_wants_it(project, db):
    silent_project = ProjectFactory.create(consent_mode=ConsentMode.OBTAINED)
    asked, not_asked = (Browser().open(issue(each)[1]) for each in (project, silent_project))

    controls = [{control["name"] for control in page.form.inputs} for page in (asked, not_asked)]
    assert controls[0] - controls[1] == {"age", "guardian_name", "guardian_contact"}
    assert asked.form.offered("age") == ["adult", "minor"]
    assert not any("checked" in control for control in asked.form.inputs)
    assert "guardian" in asked.text
    assert "guardian" not in not_asked.text


@pytest.mark.parametrize(
    ("asks", "typed", "kept"),
    [
        (True, MINOR, (True, "Meena Rao", "meena.rao@example.org")),
        (True, ADULT, (False, "", "")),
        # With an old browser the guardian's fields are always in sight.
        (True, ADULT | {"guardian_name": "x" * 300, "guardian_contact": "?"}, (False, "", "")),
        (False, MINOR, (None, "", "")),
    ],
)
def test_an_answer_starts_the_attempt_and_is_stored_if_it_was_asked(
    project, db, browser, asks, typed, kept
):
    silent_project = ProjectFactory.create(consent_mode=ConsentMode.OBTAINED)
    link, url = issue(project if asks else silent_project)

    page = browser.start(url, **typed)

    link.refresh_from_db()
    attempt = Attempt.objects.get()
    assert page.name == "section"
    assert link.attempt == attempt
    assert stored() == kept
    assert attempt.consented_at == attempt.started_at


def test_nobody_starts_without_an_age_nor_a_minor_without_a_guardian_who_can_be_reached(
    project, browser
):
    names = ["  ", "\u200b", "...", "98765 43210", "n" * 201, "Meena\u202eoaR", "M\0R", "undefined"]
    contacts = ["12345", "my mother", "meena@localhost", "()---+", "1" * 21, "9.87651E+09"]
    link, url = issue(project)
    for typed, fields in (
        ({}, ["age"]),
        (MINOR | {"guardian_name": "", "guardian_contact": ""}, [*GUARDIAN]),
        *((MINOR | {"guardian_name": name}, ["guardian_name"]) for name in [*names, "{{name}}"]),
        *(
            (MINOR | {"guardian_contact": contact}, ["guardian_contact"])
            for contact in [*contacts, "98765432"]
        ),
    ):
        page = browser.start(url, **typed)

        assert (page.status, page.name) == (400, "landing")
        assert "<title>Error: " in page.text
        assert re.findall(r'<li>\s*<a href="#(\w+)">', page.text) == fields
        assert page.form.filled["consent"] == "yes"
    link.refresh_from_db()
    assert link.used_at is None
    assert not Attempt.objects.exists()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Meena.Rao@Example.org ", "Meena.Rao@Example.org"),
        ("98765 43210", "+919876543210"),
        ("9876543210.0", "+919876543210"),
        ("+44 20 7946 0018", "+442079460018"),
        # as a list of contacts, a word processor and a Hindi keyboard write it
        ("\u202a+91 98765 43210\u202c", "+919876543210"),
        ("+91\u201198765\u201343210", "+919876543210"),
        ("९८७६५ ४३२१०", "+919876543210"),
    ],
)
def test_a_contact_is_an_address_or_a_number_by_the_rules_for_students(
    project, browser, typed, kept
):
    browser.start(issue(project)[1], **MINOR | {"guardian_contact": typed})

    assert identity.read_contact(typed) == kept
    assert stored() == (True, "Meena Rao", kept)


@pytest.mark.parametrize(("has_ended", "status"), [(False, 303), (True, 409)])
def test_to_continue_needs_no_age(project, browser, has_ended, status):
    browser.start(issue(project)[1], **ADULT)
    page = browser.open(issue(project)[1])
    if has_ended:
        Attempt.objects.get().abandon()

    answer = browser.send(page, {"consent": "yes", "start": "continue"})

    assert answer.status == status
    assert stored() == (False, "", "")


@pytest.mark.parametrize("start", ["", "again"])
def test_a_link_of_a_project_that_asks_begins_no_attempt_without_an_age(project, start):
    earlier = [use(issue(project)[0], age=A_MINOR)] if start else []
    link, _ = issue(project)

    with pytest.raises(AgeMissing):
        use(link, start=start)

    link.refresh_from_db()
    assert link.used_at is None
    assert list(Attempt.objects.open()) == earlier
