from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from partners.models import AuditEvent, Partner, Project
from tests.factories import PartnerFactory, ProjectFactory, UserFactory, staff_with
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db
PARTNERS, PROJECTS = "/admin/partners/partner/", "/admin/partners/project/"
PROJECT = {
    "name": "St. Xavier’s",
    "time_zone": "Asia/Kolkata",
    "start_by_minutes": "72h",
    "finish_by_hours": "24h",
    "recommendation_count": "5",
    "consent_mode": "obtained",
    "accent": "teal",
    "return_url": "",
    "link_rate_per_minute": "",
    "results_rate_per_minute": "",
    "retention_months": "24",
}


@pytest.fixture
def staff() -> User:
    return staff_with(
        *(f"partners.{right}_{model}" for right in ("add", "change", "view") for model in MODELS)
    )


MODELS = ("partner", "project")


@pytest.fixture
def admin(staff: User) -> Client:
    client = Client()
    client.force_login(staff)
    return client


def formset(*projects: dict[str, str]) -> dict[str, str]:
    fields = {f"projects-{n}-{k}": v for n, each in enumerate(projects) for k, v in each.items()}
    return {
        "projects-TOTAL_FORMS": str(len(projects)),
        "projects-INITIAL_FORMS": "0",
        "_save": "Save",
        **fields,
    }


@pytest.mark.parametrize(
    ("name", "rate"),
    [
        ("link_rate_per_minute", "9" * 20),
        ("link_rate_per_minute", "1e9"),
        ("results_rate_per_minute", "-" + "9" * 20),
    ],
)
def test_a_rate_that_no_column_holds_is_an_error_of_its_field(
    admin: Client, name: str, rate: str
) -> None:
    project = ProjectFactory.create()
    before = Project.objects.values().get()
    fields = {**PROJECT, "partner": str(project.partner_id), name: rate}

    answers = [edit(admin, f"{PROJECTS}{project.pk}/change/", fields)]
    for path, sent in (
        (f"{PROJECTS}add/", {**fields, "name": "Another"}),
        (f"{PARTNERS}add/", {"name": "New", **formset({**PROJECT, name: rate})}),
    ):
        answers.append(admin.post(path, sent))
    for answer in answers:
        assert answer.status_code == 200
        assert "errorlist" in answer.content.decode()

    assert Project.objects.values().get() == before
    assert Partner.objects.count() == 1


def test_a_partner_and_its_project_are_made_on_one_page(admin: Client, staff: User) -> None:
    page = admin.get(f"{PARTNERS}add/")
    answer = admin.post(f"{PARTNERS}add/", {"name": "Acme", **formset(PROJECT)})

    project = Project.objects.get()
    events = {event.action: event for event in AuditEvent.objects.all()}
    assert 'name="projects-0-name"' in page.content.decode()
    assert answer.status_code == 302
    assert (project.partner.name, project.name) == ("Acme", "St. Xavier’s")
    assert set(events) == {"partner.created", "project.created"}
    assert events["project.created"].project == project
    assert {event.actor for event in events.values()} == {f"staff:{staff.pk}"}


def test_a_change_is_recorded_by_the_names_of_its_fields(admin: Client, staff: User) -> None:
    project = ProjectFactory.create(name=PROJECT["name"])
    changed = {**PROJECT, "link_rate_per_minute": "50", "retention_months": "12"}

    edit(admin, f"{PROJECTS}{project.pk}/change/", {**changed})
    edit(
        admin,
        f"{PARTNERS}{project.partner.pk}/change/",
        {"name": "Renamed", "contact_email": "it@acme.example", **formset()},
    )

    project.refresh_from_db()
    events = {event.action: event for event in AuditEvent.objects.all()}
    assert (project.link_rate_per_minute, project.retention_months) == (50, 12)
    assert project.partner.name == "Renamed"
    assert set(events) == {"project.changed", "partner.changed"}
    assert events["project.changed"].reason == "link_rate_per_minute, retention_months"
    assert events["partner.changed"].reason == "name, contact_email"
    assert {event.actor for event in events.values()} == {f"staff:{staff.pk}"}
    assert "acme" not in str(list(AuditEvent.objects.values()))


def test_a_form_saved_as_it_came_leaves_no_event(admin: Client) -> None:
    project = ProjectFactory.create(name=PROJECT["name"])

    edit(admin, f"{PROJECTS}{project.pk}/change/", {**PROJECT})
    edit(
        admin,
        f"{PARTNERS}{project.partner.pk}/change/",
        {"name": project.partner.name, **formset()},
    )

    assert not AuditEvent.objects.exists()


def test_a_change_of_everything_fits_into_the_event(admin: Client) -> None:
    project = ProjectFactory.create()
    changed = {
        "name": "Another name",
        "time_zone": "Asia/Dubai",
        "start_by_minutes": "60m",
        "finish_by_hours": "2d",
        "recommendation_count": "3",
        "consent_mode": "ask",
        "accent": "rose",
        "return_url": "https://college.example/apply",
        "link_rate_per_minute": "1",
        "results_rate_per_minute": "1",
        "retention_months": "1",
    }

    answer = edit(admin, f"{PROJECTS}{project.pk}/change/", {**changed})

    assert answer.status_code == 302
    assert set(AuditEvent.objects.get().reason.split(", ")) == set(changed)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("start_by_minutes", "14m", "between 15m and 30d"),
        ("start_by_minutes", "4320", "Write 90d, 12h or 30m."),
        ("finish_by_hours", "721h", "between 20h and 30d, in whole hours"),
        ("recommendation_count", "11", "less than or equal to 10"),
        ("retention_months", "25", "less than or equal to 24"),
        ("time_zone", "Kolkata", "is not a time zone"),
        ("name", "", "required"),
    ],
)
def test_what_cannot_be_is_said_beside_the_field(
    admin: Client, field: str, value: str, says: str
) -> None:
    fields = {**PROJECT, "partner": PartnerFactory.create().pk, field: value}

    answer = admin.post(f"{PROJECTS}add/", fields)

    assert says in answer.content.decode()
    assert not Project.objects.exists()


def test_public_ids_and_times_are_read_only(admin: Client) -> None:
    project = ProjectFactory.create()
    before = Project.objects.values("project_id", "created_at", "closed_at").get()
    forged = {"project_id": "prj_mine", "created_at_0": "2020-01-01", "closed_at_0": "2020-01-01"}

    page = admin.get(f"{PROJECTS}{project.pk}/change/")
    edit(
        admin,
        f"{PROJECTS}{project.pk}/change/",
        {**PROJECT, "partner": project.partner.pk, **forged},
    )

    assert project.project_id in page.content.decode()
    assert Project.objects.values("project_id", "created_at", "closed_at").get() == before


def test_a_project_never_becomes_another_partners(admin: Client) -> None:
    project, other = ProjectFactory.create(), PartnerFactory.create()

    edit(admin, f"{PROJECTS}{project.pk}/change/", {**PROJECT, "partner": other.pk})

    assert Project.objects.get().partner == project.partner


def test_projects_cannot_be_changed_or_stolen_through_their_partners_page(admin: Client) -> None:
    mine, theirs = ProjectFactory.create_batch(2)
    before = list(Project.objects.order_by("pk").values())
    forged = formset(PROJECT) | {
        "name": mine.partner.name,
        "projects-TOTAL_FORMS": "2",
        "projects-INITIAL_FORMS": "2",
        "projects-0-id": str(mine.pk),
        "projects-1-id": str(theirs.pk),
        "projects-1-name": "stolen",
        "projects-0-DELETE": "on",
    }

    edit(admin, f"{PARTNERS}{mine.partner.pk}/change/", forged)

    assert list(Project.objects.order_by("pk").values()) == before


def test_who_may_only_change_adds_no_project_through_the_partners_page() -> None:
    client = Client()
    client.force_login(staff_with("partners.change_partner", "partners.view_project"))
    partner = PartnerFactory.create()

    edit(client, f"{PARTNERS}{partner.pk}/change/", {"name": partner.name, **formset(PROJECT)})

    assert not Project.objects.exists()


@pytest.mark.parametrize("url", [PARTNERS, PROJECTS])
def test_nothing_can_be_deleted(url: str) -> None:
    client = Client()
    client.force_login(UserFactory.create(is_superuser=True))
    project = ProjectFactory.create()
    pk = project.pk if url == PROJECTS else project.partner.pk

    statuses = [
        client.post(f"{url}{pk}/delete/", {"post": "yes"}).status_code,
        client.post(url, {"action": "delete_selected", "_selected_action": pk}).status_code,
    ]

    assert statuses[0] == 403
    assert Project.objects.get() == project


@pytest.mark.parametrize("url", [PARTNERS, PROJECTS])
def test_a_list_asks_no_more_for_more_rows(
    admin: Client, url: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ProjectFactory.create_batch(12)

    with django_assert_max_num_queries(10):
        admin.get(url)


@pytest.mark.parametrize("words", ["Acme", "prj_1", "Acme prj_"])
def test_a_searched_list_counts_each_project_once(admin: Client, words: str) -> None:
    partner = PartnerFactory.create(name="Acme")
    for number in range(3):
        ProjectFactory.create(partner=partner, project_id=f"prj_{number}")

    page = admin.get(PARTNERS, {"q": words}).content.decode()

    assert page.count('class="field-project_count"') == 1
    assert '<td class="field-project_count">3</td>' in page


def test_time_limits_are_written_as_durations(admin: Client) -> None:
    project = ProjectFactory.create(start_by_minutes=10 * 24 * 60, finish_by_hours=48)
    page = f"{PROJECTS}{project.pk}/change/"

    shown = admin.get(page).content.decode()
    edit(admin, page, {"start_by_minutes": "90m"})

    assert 'name="start_by_minutes" value="10d"' in shown
    assert 'name="finish_by_hours" value="48h"' in shown
    project.refresh_from_db()
    assert (project.start_by_minutes, project.finish_by_hours) == (90, 48)
    assert AuditEvent.objects.get().reason == "start_by_minutes"
