"""Django imports this module, which imports the admin of each room: that registers it."""

from __future__ import annotations

# F401: they are imported to be registered, and not used here.
from assessments.content import bank_admin, course_admin  # noqa: F401
from assessments.desk import attempt_admin, link_admin, refused_call_admin, student_admin  # noqa: F401
from assessments.figures import pages  # noqa: F401
from assessments.webhooks import endpoint_admin  # noqa: F401
