"""Staff add and change partners and projects, close and reopen a project, see what it lacks."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from partners.models import AuditEvent, Partner, Project
from partners.models.projects import Accent, ConsentMode, Takers
from tests.factories import CourseFactory
from tests.support.admin_forms import edit, opened

pytestmark = pytest.mark.django_db
PARTNERS, PROJECTS = "/admin/partners/partner/", "/admin/partners/project/"
SAVE = {"_save": "Save"}


@pytest.fixture
def admin(staff):
    models, acts = ("partner", "project"), ("add", "change", "view")
    rights = (f"partners.{act}_{model}" for model in models for act in acts)
    return staff(*rights, "partners.close_project")


def page_of(row, act="change"):
    return f"{PROJECTS if isinstance(row, Project) else PARTNERS}{row.pk}/{act}/"


def events():
    found = AuditEvent.objects.order_by("pk")
    return [(event.action, event.actor, event.reason) for event in found]


def test_a_partner_and_then_its_project_are_added(admin):
    edit(admin, f"{PARTNERS}add/", {"name": "Acme", **SAVE})
    partner = Partner.objects.get()
    new = {"partner": str(partner.pk), "name": "St. Xavier’s", **SAVE}

    answer = admin.post(f"{PROJECTS}add/", opened(admin, f"{PROJECTS}add/").sent(new))

    project, by = Project.objects.get(), f"staff:{User.objects.get().pk}"
    assert answer.status_code == 302
    assert (project.partner, project.name) == (partner, "St. Xavier’s")
    assert (project.start_by_minutes, project.finish_by_hours) == (72 * 60, 24)
    assert events() == [("partner.created", by, ""), ("project.created", by, "")]
    assert AuditEvent.objects.get(action="project.created").project == project


def test_a_change_is_recorded_by_the_names_of_its_fields_and_never_an_address(admin, project):
    words = {"name": "Another name", "time_zone": "Asia/Dubai", "consent_mode": "ask"}
    words |= {"accent": "rose", "return_url": "https://college.example/apply"}
    words |= {"takers": "graduates"}
    numbers = {"start_by_minutes": 90, "finish_by_hours": 48, "recommendation_count": 3}
    numbers |= {"link_rate_per_minute": 1, "results_rate_per_minute": 2, "retention_months": 1}
    changed = {name: f" {value} " for name, value in numbers.items()}
    changed |= words | {"return_url": f"  {words['return_url']} "}
    form = opened(admin, page_of(project))
    stored = Project.objects.values().get() | words | numbers

    answer = edit(admin, page_of(project), changed)
    edit(admin, page_of(project.partner), {"name": "New", "contact_email": "it@acme.example"})

    of_project, of_partner = AuditEvent.objects.order_by("pk")
    assert answer.status_code == 302
    assert form.controls["accent"].offers == Accent.values
    assert form.controls["consent_mode"].offers == ConsentMode.values
    assert form.controls["takers"].offers == Takers.values
    assert Project.objects.values().get() == stored
    assert set(of_project.reason.split(", ")) == set(of_project.details["changes"]) == set(changed)
    assert of_project.details["changes"]["start_by_minutes"] == [4320, 90]
    assert (of_partner.action, of_partner.reason) == ("partner.changed", "name, contact_email")
    assert of_partner.details["changes"]["contact_email"] is None
    assert "acme" not in str(list(AuditEvent.objects.values()))


def test_wrong_values_are_errors_of_their_fields_on_every_page(admin, project, rows):
    before = rows()
    wrong = {
        "name": ("Nor\u202eth", "after “Nor”"),
        "time_zone": ("Kolkata", "Select a valid choice"),
        "link_rate_per_minute": ("9" * 20, "less than or equal to"),
        "start_by_minutes": ("14", "greater than or equal to 15"),
        "finish_by_hours": ("19", "greater than or equal to 20"),
        "recommendation_count": ("11", "less than or equal to 10"),
        "retention_months": ("25", "less than or equal to 24"),
    }
    values = {field: value for field, (value, _) in wrong.items()}

    changed = edit(admin, page_of(project), values)
    added = edit(admin, f"{PROJECTS}add/", {"partner": str(project.partner_id), **values})

    pages = [page.context["adminform"].form.errors for page in (changed, added)]
    assert [set(errors) for errors in pages] == [set(wrong)] * 2
    for errors in pages:
        assert not [field for field in errors if wrong[field][1] not in str(errors[field])]
    assert rows() == before


def test_a_project_lacks_courses_until_one_suits_who_takes_the_assessment(admin_client, project):
    CourseFactory.create(project=project, entry_level="degree")
    to_add = reverse("admin:assessments_course_catalogue", args=[project.pk])
    lacks = []

    for takers in (Takers.SCHOOL_LEAVERS, Takers.GRADUATES):
        Project.objects.update(takers=takers)
        lacks.append(f'href="{to_add}"' in admin_client.get(page_of(project)).content.decode())

    assert lacks == [True, False]


def test_a_project_is_closed_and_reopened_with_a_reason(admin, project):
    by = f"staff:{User.objects.get().pk}"
    done = []
    for act, reason in (
        *(("close", ""), ("reopen", "early"), ("close", "unpaid")),
        *(("close", "again"), ("reopen", "paid")),
    ):
        answer = admin.post(page_of(project, act), {"reason": reason}, follow=True)
        project.refresh_from_db()
        shown = [str(message) for message in answer.context["messages"]]
        done.append((project.is_closed, shown))

    assert done == [
        (False, []),
        (False, [f"Project {project} was already open."]),
        (True, [f"Project {project} was closed."]),
        (True, [f"Project {project} was already closed."]),
        (False, [f"Project {project} was reopened."]),
    ]
    assert events() == [("project.closed", by, "unpaid"), ("project.reopened", by, "paid")]
