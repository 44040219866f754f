from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_post_parameters

from assessments.desk import search
from assessments.desk.audited_views import AuditedReading, time_column
from assessments.desk.link_actions import CancelLink
from assessments.models import Assessment, AssessmentLink
from assessments.models.links import LinkState
from partners.admin_base import links_to
from partners.large_table_admin import PeriodFilter, ProjectFilter
from tokens.models import AccessToken

RECENT = timedelta(days=30)


class IssuedFilter(PeriodFilter):
    title = "issued"
    path = "issued_at"


class StateFilter(admin.SimpleListFilter):
    """Filters by state within the chosen period, by default the last 30 days.

    Without a period the list would read every link of a project to find the few in a state.
    """

    title = "state, of the last 30 days or as issued"
    parameter_name = "state"

    def __init__(
        self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any
    ) -> None:
        super().__init__(request, params, model, model_admin)
        self.has_period = request.GET.get(IssuedFilter.parameter_name) in IssuedFilter.days

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return LinkState.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        links: Any = queryset
        at, attempts = timezone.now(), Assessment.objects.all()
        closed = Q(student__project__closed_at__isnull=False)
        chosen = {
            LinkState.UNUSED: links.unused(at).exclude(closed),
            LinkState.IN_USE: links.filter(assessment__in=attempts.open(at)),
            LinkState.FINISHED: links.filter(assessment__in=attempts.completed()),
            LinkState.ENDED: links.filter(assessment__in=attempts.abandoned(at)),
            LinkState.CANCELLED: links.exclude(cancelled_at=None),
            LinkState.EXPIRED: links.expired(at).exclude(closed),
            LinkState.CLOSED: links.filter(closed, used_at=None, cancelled_at=None),
        }.get(self.value())  # type: ignore[call-overload]  # a key equals its value
        if chosen is None:
            return queryset
        recent: QuerySet[Any] = chosen.filter(issued_at__gte=at - RECENT)
        return chosen if self.has_period else recent


class TokenFilter(admin.SimpleListFilter):
    """Keeps the links that an access token asked for; its page leads here."""

    title = "access token"
    parameter_name = "access_token"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        key = request.GET.get(self.parameter_name, "")
        tokens = AccessToken.objects.filter(pk=key) if re.fullmatch(r"[0-9]{1,18}", key) else ()
        return [(str(token.pk), token.token_id) for token in tokens]

    def has_output(self) -> bool:
        return self.value() is not None

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        known = [key for key, _ in self.lookup_choices]
        return queryset.filter(access_token__in=known)


@admin.register(AssessmentLink)
class AssessmentLinkAdmin(AuditedReading):
    when_empty = "Links appear here once a partner asks for one, or you invite students."
    change_list_template = "admin/assessments/assessmentlink/change_list.html"
    list_display = ("number", "student_email", "state", "project_name", "issued", "used")
    list_display_links = ("number", "student_email")
    row_actions = (CancelLink,)
    list_select_related = ("student__project", "assessment", "access_token")
    list_filter = (ProjectFilter.on("student__project"), StateFilter, IssuedFilter, TokenFilter)
    fields = (
        "number",
        "link_id",
        "reference",
        "student_page",
        "name",
        "mobile",
        "project_name",
        "access_token",
        "issued",
        "expires",
        "used",
        "cancelled",
        "attempt",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[AssessmentLink]:
        links = AssessmentLink.objects.with_newest_of_attempt()
        return links.select_related("student__project", "assessment", "access_token")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(partial(search.search, self))
        view = sensitive_post_parameters("q")(view)
        find = path("find/", view, name="assessments_assessmentlink_find")
        return [find, *super().get_urls()]

    def link_of(self, row: AssessmentLink) -> AssessmentLink | None:
        return row

    @admin.display(description="link")
    def number(self, link: AssessmentLink) -> str:
        return f"#{link.pk}"

    @admin.display(description="assessment")
    def attempt(self, link: AssessmentLink) -> SafeString | str:
        return (
            links_to([link.assessment]) if link.assessment else "none: the link has not been used"
        )

    @admin.display(description="state")
    def state(self, link: AssessmentLink) -> SafeString:
        kind = link.state_at().value
        return format_html('<span class="state link-{}">{}</span>', kind, link.state_in_words())

    issued = time_column("issued_at", "issued")
    expires = time_column("expires_at", "expires")
    used = time_column("used_at", "used", "not yet")
    cancelled = time_column("cancelled_at", "cancelled", "no")
