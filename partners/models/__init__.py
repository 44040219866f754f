"""Who integrates with us, and who did what: the ground floor, which imports no other app."""

from __future__ import annotations

from partners.models.audit import AppendOnlyError, AuditEvent
from partners.models.projects import Partner, Project, validate_time_zone

# The first migration finds `validate_time_zone` here.
__all__ = ["AppendOnlyError", "AuditEvent", "Partner", "Project", "validate_time_zone"]
