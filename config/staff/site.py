"""The staff's site: the admin, with the pages that belong to no model."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.urls import URLPattern, URLResolver, path


class StaffSite(AdminSite):
    site_url = None  # there is no site for staff to view

    def get_urls(self) -> list[URLPattern | URLResolver]:
        # not at the top: the admin is made before the apps' models are ready
        from assessments.admin.onboarding import onboard_page

        return [
            path("onboard/", self.admin_view(onboard_page), name="onboard"),
            *super().get_urls(),
        ]
