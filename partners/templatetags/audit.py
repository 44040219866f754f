"""The way from a row's page to what the audit trail has of it."""

from __future__ import annotations

from django import template
from django.db.models import Model
from django.urls import reverse
from django.utils.http import urlencode

from partners.models import Project
from partners.models.audit import identifier_of

register = template.Library()

# Of any other kind, events are kept under what it belongs to, or none are.
KINDS = frozenset({"partner", "accesstoken", "itembank", "student", "user"})


@register.simple_tag
def audit_address(row: Model) -> str:
    """Return the address of the events about `row`: of a project, all in it. Empty without any."""
    if isinstance(row, Project):
        query = {"project": str(row.pk)}
    elif row._meta.model_name in KINDS:
        query = {"q": identifier_of(row)}
    else:
        return ""
    return f"{reverse('admin:partners_auditevent_changelist')}?{urlencode(query)}"
