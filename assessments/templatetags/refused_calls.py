"""The refused calls on a project's page: its app, `partners`, cannot import them."""

from __future__ import annotations

from django import template

from assessments.models import RefusedCall
from assessments.models.refused_calls import RefusedDays
from partners.models import Project

register = template.Library()


@register.simple_tag
def refused_days(project: Project) -> RefusedDays:
    """Return the project's refused calls by code and day."""
    days: RefusedDays = RefusedCall.objects.by_day(project)
    return days
