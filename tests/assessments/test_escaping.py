"""Text that others wrote is shown to staff as text: names of people, projects and courses.

Students' pages are in test_templates.py.
"""

import pytest
from django.urls import reverse

from assessments.models import Attempt
from partners.models import Project
from tests.assessments.attempts import issue
from tests.factories import CourseFactory
from tests.support.browser import Page

# Markup, and what needs none.
PAYLOADS = [
    '"><svg/onload=alert(1)></title><script>alert(1)</script><img/src=x/onerror=alert(1)>',
    "'onmouseover='alert(1){{31337*3}}{{31337|add:62674}}{%debug%}javascript:alert(1)",
]
EXECUTED = ("<script>alert(1)", "<img/src=x", "<svg/onload", "onerror=alert(1)>", "'onmouseover='")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_on_the_pages_and_lists_of_staff(bank, project, browser, admin_client, payload):
    Project.objects.filter(pk=project.pk).update(name=payload)
    course = CourseFactory.create(project=project, name=payload)
    browser.start(issue(project, name=payload)[1])

    attempt = Attempt.objects.get()
    for row in (attempt.links.get(), attempt.student, attempt, course):
        name = f"admin:assessments_{row._meta.model_name}"
        for path in (reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])):
            text = Page(admin_client.get(path)).text
            assert [each for each in (*EXECUTED, ">94011") if each in text] == []
