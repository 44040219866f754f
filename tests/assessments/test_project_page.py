"""The top of a project's page in the admin."""

import html
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import RefusedCall
from tests.assessments.attempts import issue, started
from tests.factories import AccessTokenFactory, CourseFactory

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def page(client, project):
    shown = client.get(f"/admin/partners/project/{project.pk}/change/").content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", html.unescape(shown)).split())


@pytest.mark.usefixtures("bank")
def test_a_project_in_use_says_so_and_counts_its_week(admin_client, project):
    now = timezone.now()
    token = AccessTokenFactory.create(project=project, last_used_at=now - timedelta(minutes=2))
    CourseFactory.create(project=project)
    RefusedCall.objects.create(
        project=project, access_token=token, at=now, status=404, code="not_found"
    )
    issue(project)
    started(project, email="b@example.com")

    shown = page(admin_client, project).replace("\xa0", " ")

    assert "Live · token used 2 minutes ago · 1 course · webhooks none" in shown
    assert "Last seven days Links 2 Starts 1 Ends 0 Refused calls 1" in shown
