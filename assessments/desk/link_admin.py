"""Links, and what support does with one: find it, cancel it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from assessments.desk.audited_admin import AuditedAdmin, SupportAction, time_column
from assessments.desk.search import search
from assessments.models import AssessmentLink, Attempt
from assessments.models.links import LinkState
from partners.back_office.filters import ChoiceFilter, PeriodFilter, ProjectFilter

RECENT = timedelta(days=30)


class CancelLink(SupportAction):
    name, title = "cancel", "Cancel the link"
    permission = "assessments.cancel_link"
    leave = "Keep the link"
    is_final = True

    def refusal(self) -> str:
        is_unused = self.row.state_at(self.at) == LinkState.UNUSED
        return "" if is_unused else self.row.state_in_words(self.at)

    def explain(self) -> Sequence[str]:
        return (
            f"Link #{self.row.pk} can be started until {self.when(self.row.expires_at)}. Once "
            "cancelled, it can't be started, and anyone who opens it reads that it was cancelled.",
            "This cannot be undone, but you can issue a fresh link. Other links of the student "
            "keep working.",
        )

    def run(self, *, reason: str) -> str:
        self.row.cancel(by=self.by, reason=reason, at=self.at)
        return f"Link #{self.row.pk} is cancelled."


class StateFilter(ChoiceFilter):
    """Filter by state, by default within 30 days: a rare state would mean reading all links."""

    title = "state, of the last 30 days or as issued"
    options = LinkState.choices

    def rows(self, request: HttpRequest, links: Any, chosen: str) -> QuerySet[Any]:
        at, attempts = timezone.now(), Attempt.objects.all()
        closed = Q(student__project__closed_at__isnull=False)
        in_state: QuerySet[Any] = {
            "unused": links.unused(at).exclude(closed),
            "in-use": links.filter(attempt__in=attempts.open(at)),
            "finished": links.filter(attempt__in=attempts.completed()),
            "ended": links.filter(attempt__in=attempts.abandoned(at)),
            "cancelled": links.exclude(cancelled_at=None),
            "expired": links.expired(at).exclude(closed),
            "closed": links.filter(closed, used_at=None, cancelled_at=None),
        }[chosen]
        has_period = request.GET.get(PeriodFilter.parameter_name) in dict(PeriodFilter.options)
        return in_state if has_period else in_state.filter(issued_at__gte=at - RECENT)


@admin.register(AssessmentLink)
class AssessmentLinkAdmin(AuditedAdmin):
    when_empty = "Links appear here once a partner asks for one, or you invite students."
    list_display = ("number", "student_email", "state", "project_name", "issued", "used")
    list_display_links = ("number", "student_email")
    row_actions = (CancelLink,)
    list_filter = (ProjectFilter.on("student__project"), StateFilter, PeriodFilter.on("issued_at"))
    fields = (
        *("number", "link_id", "reference", "student_page", "name", "mobile", "project_name"),
        *("access_token", "issued", "expires", "used", "cancelled", "attempt"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[AssessmentLink]:
        return AssessmentLink.objects.with_attempts().select_related("student__project")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(search)
        return [path("find/", view, name="assessments_assessmentlink_find"), *super().get_urls()]

    def link_of(self, row: AssessmentLink) -> AssessmentLink | None:
        return row

    @admin.display(description="link")
    def number(self, link: AssessmentLink) -> str:
        return f"#{link.pk}"

    def state(self, link: AssessmentLink) -> SafeString:
        state = link.state_at()
        return format_html('<span class="state link-{}">{}</span>', state, state.label.lower())

    issued = time_column("issued_at", "issued")
    expires = time_column("expires_at", "expires")
    used = time_column("used_at", "used", "not yet")
    cancelled = time_column("cancelled_at", "cancelled", "no")
