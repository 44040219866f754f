"""Partners, projects and the audit trail. Imports no other app."""

from partners.models.audit import Actor as Actor
from partners.models.audit import AuditEvent as AuditEvent
from partners.models.audit import Refused as Refused
from partners.models.audit import command_actor as command_actor
from partners.models.audit import request_actor as request_actor
from partners.models.audit import staff_actor as staff_actor
from partners.models.last_successes import LastSuccess as LastSuccess
from partners.models.projects import Partner as Partner
from partners.models.projects import Project as Project
