from __future__ import annotations

from django.apps import AppConfig, apps
from django.contrib.admin.apps import AdminConfig


class StaffConfig(AppConfig):
    """Who works in the back office: sign-in, roles, accounts, the audit trail."""

    name = "staff"

    def ready(self) -> None:
        apps.get_app_config("auth").verbose_name = "Accounts"


class StaffAdminConfig(AdminConfig):
    """Django's admin, with a site of our own: every `admin.register` goes there."""

    default_site = "staff.site.StaffSite"
