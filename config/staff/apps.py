from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """Django's admin with a site of our own; every `admin.register` goes there."""

    default_site = "config.staff.site.StaffSite"
