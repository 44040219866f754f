"""The URLs of the service. Middlewares answer the probes and the API's operations earlier."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config import docs_views

urlpatterns = [
    path("partner/", include("assessments.api.urls")),
    path("admin/", admin.site.urls),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("", docs_views.page, {"template": "docs/home.html"}),
    path("docs", RedirectView.as_view(pattern_name="reference")),
    path("docs/", docs_views.page, {"template": "docs/built/reference.html"}, "reference"),
    path("docs/changelog", docs_views.page, {"template": "docs/changelog.html"}, "docs-changelog"),
    path(".well-known/security.txt", docs_views.security_txt, name="security-txt"),
    path("openapi.json", docs_views.openapi, name="openapi"),
    path("", include("assessments.student.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"
