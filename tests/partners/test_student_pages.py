"""What staff set of a project's student pages: consent, accent, the way back."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from partners.models import AuditEvent, Project
from partners.student_pages import Accent, ConsentMode
from tests.factories import PartnerFactory, ProjectFactory, staff_with
from tests.partners.test_admin_partners import PROJECT
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db
STEM = "https://college.example/"
LONGEST = STEM + "a" * (500 - len(STEM))


@pytest.fixture
def admin() -> Client:
    client = Client()
    rights = [f"partners.{right}_project" for right in ("view", "add", "change")]
    client.force_login(staff_with(*rights, "partners.view_partner", "partners.add_partner"))
    return client


def change_page(project: Project) -> str:
    return reverse("admin:partners_project_change", args=[project.pk])


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://college.example",
        "https://college.example:8443/apply?form=7&next=a%20b",
        "https://apply.college.example/@asha",
        "https://महाविद्यालय.भारत/आवेदन",
        LONGEST,
    ],
)
def test_a_return_address_that_is_taken(address: str) -> None:
    project = ProjectFactory.build(partner=PartnerFactory.create(), return_url=address)

    project.full_clean()
    project.save()

    assert Project.objects.get().return_url == address


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://college.example", "starts with https://"),
        ("javascript:alert(1)", "starts with https://"),
        ("https:///apply", "starts with https://"),
        ("https:college.example", "starts with https://"),
        ("https://college.example/a b", "has no spaces"),
        ("https://college.example/\n", "has no spaces"),
        ("https://college.example/\0", "has no spaces"),
        ("https://college.example\\@evil.example", ""),
        ("HTTPS://college.example", "lower case"),
        ("https://asha@college.example", "before the host"),
        ("https://asha:secret@college.example/apply", "before the host"),
        ("https://college.example@evil.example", "before the host"),
        ("https://college.example:99999/apply", "is not valid"),
        ("https://college.example:0", "is not valid"),
        ("https://college.example/#courses", "Remove the #"),
        ("https://college.example#", "Remove the #"),
        (LONGEST + "a", "at most 500 characters"),
    ],
)
def test_a_return_address_that_is_refused(address: str, says: str) -> None:
    project = ProjectFactory.build(partner=PartnerFactory.create(), return_url=address)

    with pytest.raises(ValidationError) as refusal:
        project.full_clean()

    assert list(refusal.value.message_dict) == ["return_url"]
    assert says in " ".join(refusal.value.message_dict["return_url"])


def test_staff_set_them_on_the_projects_page(admin: Client) -> None:
    project = ProjectFactory.create()
    page = admin.get(change_page(project)).content.decode()
    sent = {"consent_mode": "ask", "accent": "plum", "return_url": f"  {LONGEST} "}

    answer = edit(admin, change_page(project), PROJECT | sent)

    project.refresh_from_db()
    assert "Student pages" in page
    assert page.count('<option value="') >= len(Accent.values) + len(ConsentMode.values)
    assert "We add nothing about the student or the result." in page
    assert answer.status_code == 302
    assert (project.consent_mode, project.accent) == ("ask", "plum")
    assert project.return_url == LONGEST
    event = AuditEvent.objects.get()
    assert event.action == "project.changed"
    assert "accent" in event.reason
    assert LONGEST not in event.reason
