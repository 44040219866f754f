from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_post_parameters

from assessments.admin import link_summary, search
from assessments.admin.audited_views import AuditedReading
from assessments.admin.readonly import ReadOnly, links_to
from assessments.models import AssessmentLink
from assessments.support.timeline import When
from partners.large_table_admin import LargeTableAdmin, PeriodFilter, ProjectFilter


class IssuedFilter(PeriodFilter):
    title = "issued"
    path = "issued_at"


@admin.register(AssessmentLink)
class AssessmentLinkAdmin(AuditedReading, LargeTableAdmin, ReadOnly):
    change_form_template = "admin/assessments/link_summary.html"
    change_list_template = "admin/assessments/assessmentlink/change_list.html"
    list_display = ("number", "student_email", "state", "project_name", "issued", "used")
    list_display_links = ("number", "student_email")
    list_select_related = ("student__project", "assessment", "access_token")
    list_filter = (ProjectFilter.on("student__project"), IssuedFilter)
    fields = (
        "number",
        "student_page",
        "name",
        "mobile",
        "project_name",
        "access_token",
        "issued",
        "expires",
        "used",
        "attempt",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[AssessmentLink]:
        links = AssessmentLink.objects.with_newest_of_attempt()
        return links.select_related("student__project", "assessment", "access_token")

    def get_urls(self) -> list[URLPattern]:
        view = sensitive_post_parameters("q")(self.admin_site.admin_view(self.find_view))
        return [path("find/", view, name="assessments_assessmentlink_find"), *super().get_urls()]

    def find_view(self, request: HttpRequest) -> HttpResponse:
        return search.search(self, request)

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: models.Model | None = None,
    ) -> HttpResponse:
        if isinstance(obj, AssessmentLink):
            context |= link_summary.context_of(request, obj.student, obj, timezone.now(), obj)
        return super().render_change_form(request, context, add, change, form_url, obj)

    @admin.display(description="link")
    def number(self, link: AssessmentLink) -> str:
        return f"#{link.pk}"

    @admin.display(description="student")
    def student_email(self, link: AssessmentLink) -> str:
        return link.student.email

    @admin.display(description="student")
    def student_page(self, link: AssessmentLink) -> SafeString:
        return links_to([link.student], [link.student.email])

    @admin.display(description="assessment")
    def attempt(self, link: AssessmentLink) -> SafeString | str:
        return (
            links_to([link.assessment]) if link.assessment else "none: the link has not been used"
        )

    @admin.display(description="project")
    def project_name(self, link: AssessmentLink) -> str:
        return link.project.name

    @admin.display(description="state")
    def state(self, link: AssessmentLink) -> SafeString:
        kind = link.state_at().value
        return format_html('<span class="state link-{}">{}</span>', kind, link.state_in_words())

    @admin.display(description="issued")
    def issued(self, link: AssessmentLink) -> str:
        return _when(link)(link.issued_at)

    @admin.display(description="expires")
    def expires(self, link: AssessmentLink) -> str:
        return _when(link)(link.expires_at)

    @admin.display(description="used")
    def used(self, link: AssessmentLink) -> str:
        return _when(link)(link.used_at) if link.used_at else "not yet"


def _when(link: AssessmentLink) -> When:
    return link_summary.moments(link.student, timezone.now())
