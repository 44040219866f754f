from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class StaffConfig(AppConfig):
    """Who works in the back office: sign-in, roles, accounts, the audit trail."""

    name = "staff"


class StaffAdminConfig(AdminConfig):
    """Django's admin, with a site of our own: every `admin.register` goes there."""

    default_site = "staff.site.StaffSite"
