"""No reason that is kept for years says who the student or the guardian is."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.students import ReasonNamesThePerson
from partners.models import AuditEvent, Project
from partners.student_pages import ConsentMode
from tests.assessments.ages import A_MINOR, GUARDIAN
from tests.assessments.attempts import issue, use
from tests.factories import ProjectFactory, StudentFactory, staff_with

pytestmark = pytest.mark.usefixtures("bank")
WHO = "command:tests"


@pytest.fixture
def student(db: None) -> Student:
    """Give a minor, Asha Rao, with an open attempt and a link in an earlier name."""
    project = ProjectFactory.create(consent_mode=ConsentMode.ASK)
    issue(project, name="Usha Iyer", mobile="+91 91234 56789")
    use(issue(project)[0], age=A_MINOR)
    return Student.objects.get()


@pytest.mark.parametrize(
    "reason",
    [
        "Asha Rao wrote",
        "Asha's mother called",
        "ＡＳＨＡ wrote",
        "mail of ASHA.RAO@example.com",
        "9876543210 asked",
        "called from +919876543210",
        "called from +91 98765-43210.",
        "९८७६५४३२१० called",
        "was Usha before",
        "from 91234 56789",
        f"the mother, {GUARDIAN['guardian_name']}",
        f"reach {GUARDIAN['guardian_contact']}",
        "reach meena.rao",
    ],
)
def test_what_names_the_person_is_refused(student: Student, reason: str) -> None:
    with pytest.raises(ReasonNamesThePerson):
        student.refuse_naming(reason)


@pytest.mark.parametrize(
    "reason",
    [
        "",
        "asked for by letter",
        "Natasha from support asked",
        "raob",
        "for example, as they wrote",
    ],
)
def test_what_does_not_is_taken(student: Student, reason: str) -> None:
    student.refuse_naming(reason)


@pytest.mark.parametrize(
    ("details", "refused", "taken"),
    [
        ({"name": "Li Bo"}, "li  bo wrote", "bo wrote"),
        ({"name": "आशा राव"}, "आशा ने लिखा", "आश ने लिखा"),
        ({"name": "राम\u200d"}, "राम ने", "रामा ने"),
        ({"name": "Zoë D’Souza"}, "d'souza wrote", "zo wrote"),
        ({"name": "X", "email": "k.iyer+lists@example.com"}, "k.iyer wrote", "lists wrote"),
        ({"name": "X", "mobile": "123456"}, "from 12 34 56", "from 12345"),
        ({"name": "Usha", "mobile": "(    1"}, "usha", "on floor 1"),
    ],
)
def test_names_and_numbers_of_all_kinds(
    project: Project, details: dict[str, str], refused: str, taken: str
) -> None:
    student = StudentFactory.create(project=project, **details)

    with pytest.raises(ReasonNamesThePerson):
        student.refuse_naming(refused)

    student.refuse_naming(taken)


def kept(*names: str) -> list[str]:
    """Return the reasons of the audit trail in which one of these stands."""
    reasons = AuditEvent.objects.values_list("reason", flat=True)
    return [reason for reason in reasons if any(name in reason for name in names)]


def test_no_erasure_with_it(student: Student) -> None:
    with pytest.raises(ReasonNamesThePerson):
        student.erase(reason="Asha wrote", actor=WHO)

    assert not Student.objects.get().is_erased
    assert Assessment.objects.open().exists()
    assert not kept("Asha", "Meena")


@pytest.mark.parametrize("act", ["issue", "close", "extend"])
def test_the_page_says_so_beside_the_reason(student: Student, act: str) -> None:
    staff, attempt = Client(), Assessment.objects.get()
    staff.force_login(
        staff_with(
            *(f"assessments.view_{model}" for model in ("student", "assessmentlink", "assessment")),
            *("assessments.issue_link", "assessments.close_assessment"),
            "assessments.extend_assessment",
        )
    )
    target, model = (student, "student") if act == "issue" else (attempt, "assessment")
    address = reverse(f"admin:assessments_{model}_{act}", args=[target.pk])
    asked = staff.get(address).context["form"]
    hidden = {each.name: each.value() for each in asked.hidden_fields()}
    sent = {**hidden, "days": "7", "reason": "Asha's mother called"}

    page = staff.post(address, sent)

    assert page.status_code == 200
    [said] = page.context["form"].errors["reason"]
    assert said.startswith("The reason names the person.")
    assert AssessmentLink.objects.count() == 2
    left = Assessment.objects.get()
    assert (left.abandoned_at, left.finish_by_at) == (None, attempt.finish_by_at)
    assert not kept("Asha")
    # The same page takes another reason.
    assert staff.post(address, {**sent, "reason": "on the phone"}).status_code in {200, 302}
    assert kept("on the phone")
