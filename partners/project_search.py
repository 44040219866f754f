"""Search for projects."""

from __future__ import annotations

import re

from django.db.models import Q, QuerySet

from partners.models import Project


def search_projects(asked: str) -> QuerySet[Project]:
    """Return projects by primary key, projectId, or part of their or their partner's name.

    Any input is valid: an empty one returns all projects, one without a match none.
    """
    projects = Project.objects.select_related("partner").order_by("name", "pk")
    if not asked.isprintable():  # PostgreSQL rejects NUL
        return projects.none()
    if re.fullmatch("[0-9]{1,18}", asked):
        return projects.filter(pk=int(asked))
    if asked.startswith("prj_"):
        return projects.filter(project_id=asked)
    return projects.filter(Q(name__icontains=asked) | Q(partner__name__icontains=asked))
