"""Partners, projects and the audit trail. Imports no other app."""

from __future__ import annotations

from partners.models.audit import AuditEvent
from partners.models.last_successes import LastSuccess
from partners.models.projects import Partner, Project, validate_time_zone

# The first migration finds `validate_time_zone` here.
__all__ = [
    "AuditEvent",
    "LastSuccess",
    "Partner",
    "Project",
    "validate_time_zone",
]
