"""Which projects staff mean by what they type."""

from __future__ import annotations

import re

from django.db.models import Q, QuerySet

from partners.models import Project


def projects_called(asked: str) -> QuerySet[Project]:
    """Return the projects of a primary key, a projectId, or with it in their or the partner's name.

    Nothing that was typed is an error; what means no project finds none, and "" finds all.
    """
    projects = Project.objects.select_related("partner").order_by("name", "pk")
    if not asked.isprintable():  # a NUL is an error to PostgreSQL
        return projects.none()
    if re.fullmatch("[0-9]{1,18}", asked):
        return projects.filter(pk=int(asked))
    if asked.startswith("prj_"):
        return projects.filter(project_id=asked)
    return projects.filter(Q(name__icontains=asked) | Q(partner__name__icontains=asked))
