"""Every page of the staff's site, and a row of every kind that it has a page for."""

import json

from django.contrib.contenttypes.models import ContentType
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from assessments.models import ItemBank, RefusedCall, Student, WebhookEndpoint, bank_usage
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from partners.models import AuditEvent
from tests.assessments.attempts import issue, started
from tests.factories import BY, CourseFactory, ProjectFactory, issued_token, staff_as
from tests.support.server import SMALL_BANK

OF_CATALOGUE = ("catalogue", "load", "columns", "compare", "download", "earlier", "restore")


def make_rows():
    """Return a row for the pages of each model, by the beginning of the pages' names."""
    ItemBank.cached.cache_clear()
    bank_usage.count.cache_clear()
    bank, _ = ItemBank.objects.publish(json.loads(SMALL_BANK.read_bytes()), shipped=True, by=BY)
    bank.make_current(by=BY)
    project = ProjectFactory.create()
    token, _ = issued_token(project)
    attempt = started(project, email="open@example.com")
    unused, _ = issue(project, email="unused@example.com")
    colleague = staff_as("Support")
    course = CourseFactory.create(project=project, fields=["machines", "maths"])
    snapshot = CatalogueSnapshot.objects.of(project)
    snapshot.make_current(timezone.now())
    return {
        "partners_partner": project.partner,
        "partners_project": project,
        "partners_auditevent": AuditEvent.objects.latest("pk"),
        "tokens_accesstoken": token,
        "assessments_student": attempt.student,
        "assessments_assessmentlink": unused,
        "assessments_attempt": attempt,
        "assessments_refusedcall": RefusedCall.objects.create(
            project=project, access_token=token, at=timezone.now(), status=404, code="not_found"
        ),
        "assessments_webhookendpoint": WebhookEndpoint.objects.set_up(
            project, "https://hooks.example.com/assessments", by=BY
        ),
        "assessments_course": course,
        "assessments_item": bank.item_set.get(code="int-vegetables"),
        "assessments_itembank": bank,
        "assessments_projectfigures": project,  # whose figures are shown
        # pages of these names are about a project
        **dict.fromkeys(["invite", "invite_columns", "invite_check", "preview"], project),
        **{f"assessments_course_{page}": project for page in OF_CATALOGUE},
        "snapshot": snapshot,
        "auth_user": colleague,
        "auth_group": colleague.groups.get(),
        "view_on_site": ContentType.objects.get_for_model(Student),
    }


def walk(resolver, route=""):
    """Yield name and route of every page. What has no name is called by its last part."""
    for pattern in resolver.url_patterns:
        whole = route + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walk(pattern, whole)
        else:
            yield pattern.name or str(pattern.pattern), whole


def staff_pages():
    [site] = [
        pattern for pattern in get_resolver().url_patterns if str(pattern.pattern) == "admin/"
    ]
    return list(walk(site))


def address(name, route, rows):
    """Return the address of a page, of the row that the page is about."""
    owner = "_".join(name.split("_")[:2])
    if name == "<path:object_id>/":
        owner = "_".join(route.split("/")[:2])
    row = rows.get(name) or rows.get(owner)
    number = str(row.pk) if row else ""
    if name == "view_on_site":
        return f"/admin/r/{rows[name].pk}/{rows['assessments_student'].pk}/"
    if name == "app_list":
        return "/admin/partners/"
    if name == "(?P<url>.*)$":
        return "/admin/nothing/at/all"
    values = {
        "<path:object_id>": number,
        "<int:pk>": number,
        "<slug:scale>": rows["assessments_item"].scale,
        "<slug:name>": "landing",
        "<int:upload>": "1",  # another user's, or none
        "<int:snapshot>": str(rows["snapshot"].pk),
    }
    for part, value in values.items():
        if part in route:
            assert value, f"tests/staff/rows.py has no row for the page {name}"
            route = route.replace(part, value)
    assert "<" not in route, (
        f"what stands for {route} in the page {name}? Say it in tests/staff/rows.py."
    )
    return f"/admin/{route}"
