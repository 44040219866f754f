from __future__ import annotations

from django.apps import apps
from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """Django's admin with a site of our own; every `admin.register` goes there."""

    default_site = "config.staff.site.StaffSite"

    def ready(self) -> None:
        super().ready()
        apps.get_app_config("auth").verbose_name = "Accounts"
        from config.staff import users  # noqa: F401  takes the place of Django's pages of accounts
