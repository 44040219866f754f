"""Partners, projects and the audit trail. Imports no other app."""

from partners.models.audit import AuditEvent, Refused
from partners.models.last_successes import LastSuccess
from partners.models.projects import Partner, Project

__all__ = ["AuditEvent", "LastSuccess", "Partner", "Project", "Refused"]
