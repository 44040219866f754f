"""Django imports this module, which imports the admin of each room: that registers it."""

from __future__ import annotations

from assessments.catalogue import course_admin  # noqa: F401

# F401: they are imported to be registered, and not used here.
from assessments.desk import (  # noqa: F401
    attempt_admin,
    bank_admin,  # noqa: F401
    link_admin,
    refused_call_admin,
    student_admin,
)
from assessments.figures import pages  # noqa: F401
from assessments.webhooks import endpoint_admin  # noqa: F401
