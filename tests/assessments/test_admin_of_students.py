"""What staff see of students, links, attempts and banks, what they cannot change, and the trail."""

import pytest
from django.urls import reverse

from assessments.models import AssessmentLink, Attempt, Student
from partners.models import AuditEvent
from tests.assessments.attempts import started
from tests.assessments.link_actions import VIEW

OF_STUDENTS = (Student, AssessmentLink, Attempt)

pytestmark = [pytest.mark.usefixtures("bank")]


def url(model, page, *args):
    return reverse(f"admin:assessments_{model.__name__.lower()}_{page}", args=args)


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_a_reader_of_a_page_or_a_list_is_in_the_audit_trail(project, staff, model):
    attempt = started(project)
    row = model.objects.get()
    for number in range(2):
        started(project, email=f"s{number}@example.com")
    reader, before = staff(*VIEW), AuditEvent.objects.count()

    reader.get(url(model, "change", row.pk))
    reader.get(url(model, "changelist"))
    reader.get(url(model, "changelist"), {"project": "no such project"})

    number, name = reader.session["_auth_user_id"], str(model._meta.verbose_name)
    events = AuditEvent.objects.order_by("pk")[before:]
    assert {event.actor for event in events} == {f"staff:{number}"}
    assert [(e.action, e.object_id, e.project, e.reason) for e in events] == [
        ("student.read", f"student-{attempt.student_id}", project, f"looked at: {row}"),
        ("student.listed", f"user-{number}", None, f"{name}: 3 rows"),
        ("student.listed", f"user-{number}", None, f"{name}: 0 rows"),
    ]
