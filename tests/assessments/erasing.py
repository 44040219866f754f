"""Somebody to erase, of whom everything is known that can be."""

from __future__ import annotations

from assessments.models import Student
from partners.models import Project
from tests.assessments.ages import A_MINOR
from tests.assessments.attempts import answer_until, issue, marked_completed, use


def minor(project: Project) -> Student:
    """Make a minor with a completed attempt, an open one with answers, and an unused link."""
    marked_completed(use(issue(project)[0], age=A_MINOR))
    answer_until(use(issue(project)[0], age=A_MINOR), 6)
    issue(project)
    return Student.objects.get()
