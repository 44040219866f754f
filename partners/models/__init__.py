"""Partners, projects and the audit trail. Imports no other app."""

from __future__ import annotations

from partners.models.audit import AuditEvent
from partners.models.last_successes import LastSuccess
from partners.models.projects import Partner, Project
from partners.models.refused import Refused

__all__ = ["AuditEvent", "LastSuccess", "Partner", "Project", "Refused"]
