"""The names of lists, as the menu has them, and the events of a row in the audit trail."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib import admin
from django.db.models import Model
from django.db.models.options import Options
from django.urls import reverse
from django.utils.http import urlencode

from partners.models import AuditEvent, Project
from partners.models.audit import AuditEventQuerySet, identifier_of

register = template.Library()

# Other kinds have no events, or have them under the object that they belong to.
AUDITED_KINDS = frozenset({"partner", "accesstoken", "itembank", "student", "user"})


@register.simple_tag
def audit_address(row: Model) -> str:
    """Return the address of the events about `row`, or in a project; "" if its kind has none."""
    if isinstance(row, Project):
        query = {"project": str(row.pk)}
    elif row._meta.model_name in AUDITED_KINDS:
        query = {"q": identifier_of(row)}
    else:
        return ""
    return f"{reverse('admin:partners_auditevent_changelist')}?{urlencode(query)}"


@register.simple_tag
def events_about(row: Model) -> AuditEventQuerySet:
    return AuditEvent.objects.about(row).with_staff_names().newest_first()


@register.filter
def list_name(opts: Options[Any]) -> str:
    return str(admin.site.name_of_list(opts.model))  # type: ignore[attr-defined]  # StaffSite's
