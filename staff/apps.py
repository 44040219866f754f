from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class StaffConfig(AppConfig):
    name = "staff"


class StaffAdminConfig(AdminConfig):
    """Django's admin, with a site of our own: every `admin.register` goes there."""

    default_site = "staff.site.StaffSite"
