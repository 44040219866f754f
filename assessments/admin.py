"""Django imports this module, which imports the admin of each room: that registers it."""

# ruff: noqa: F401  each import registers

from assessments.catalogue import course_admin, filling
from assessments.desk import (
    attempt_admin,
    bank_admin,
    link_admin,
    refused_call_admin,
    student_admin,
)
from assessments.figures import pages
from assessments.webhooks import endpoint_admin
