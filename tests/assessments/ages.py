"""What students say of their age in tests, and what stands of it in the row."""

from __future__ import annotations

from assessments.models import Assessment
from assessments.models.ages import Age
from partners.models import Project
from tests.assessments.attempts import issue, use
from tests.support.browser import Page

GUARDIAN = {"guardian_name": "Meena Rao", "guardian_contact": "meena.rao@example.org"}
MINOR = {"consent": "yes", "age": "minor", **GUARDIAN}
ADULT = {"consent": "yes", "age": "adult"}
A_MINOR = Age(is_minor=True, **GUARDIAN)


def stored() -> tuple[bool | None, str, str]:
    """Return what the one attempt says of age and guardian."""
    attempt = Assessment.objects.get()
    return attempt.is_minor, attempt.guardian_name, attempt.guardian_contact


def started_as_minor(project: Project) -> Assessment:
    return use(issue(project)[0], age=A_MINOR)


def controls(page: Page) -> set[str]:
    """Return the names of the controls on a page."""
    return {control["name"] for control in page.form.inputs}
