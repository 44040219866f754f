"""A row of every kind that the staff's site has a page for."""

import json

from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from assessments.models import ItemBank, RefusedCall, Student, WebhookEndpoint, recent
from assessments.models.catalogues import CatalogueSnapshot
from partners.models import AuditEvent
from tests.assessments.attempts import issue, started
from tests.factories import CourseFactory, ProjectFactory, issued_token, staff_as
from tests.support.server import SMALL_BANK


def make_rows():
    """Return a row for the pages of each model, by the beginning of the pages' names."""
    ItemBank.cached.cache_clear()
    recent.forget()
    bank, _ = ItemBank.objects.publish(
        json.loads(SMALL_BANK.read_bytes()), shipped=True, actor="command:tests"
    )
    bank.make_current(actor="command:tests")
    project = ProjectFactory.create()
    token, _ = issued_token(project)
    attempt = started(project, email="open@example.com")
    unused, _ = issue(project, email="unused@example.com")
    colleague = staff_as("Support")
    return {
        "partners_partner": project.partner,
        "partners_project": project,
        "partners_auditevent": AuditEvent.objects.latest("pk"),
        "tokens_accesstoken": token,
        "assessments_student": attempt.student,
        "assessments_assessmentlink": unused,
        "assessments_assessment": attempt,
        "assessments_refusedcall": RefusedCall.objects.create(
            project=project, access_token=token, at=timezone.now(), status=404, code="not_found"
        ),
        "assessments_webhookendpoint": WebhookEndpoint.objects.set_up(
            project, "https://hooks.example.com/assessments", actor="command:tests"
        ),
        "assessments_course": CourseFactory.create(project=project, fields=["machines", "maths"]),
        "assessments_item": bank.item_set.get(code="int-vegetables"),
        "assessments_itembank": bank,
        "assessments_figures": project,  # whose figures are shown
        # pages of these names are about a project
        **dict.fromkeys(
            [
                *("invite", "preview"),
                *(f"assessments_course_{page}" for page in ("catalogue", "load", "download")),
                "assessments_course_earlier",
            ],
            project,
        ),
        "assessments_course_compare": CatalogueSnapshot.objects.current(project),
        "auth_user": colleague,
        "auth_group": colleague.groups.get(),
        "view_on_site": ContentType.objects.get_for_model(Student),
    }
