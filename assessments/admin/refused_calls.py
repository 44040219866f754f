"""Partners' refused calls, for support. They name no student, so that views are not audited."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from assessments.admin.readonly import ReadOnly, links_to
from assessments.api.codes import CODES
from assessments.api.operation import NOTED
from assessments.models import RefusedCall
from assessments.support.refusals import explain
from partners.large_table_admin import LargeTableAdmin, PeriodFilter, ProjectFilter
from partners.times import moment_in_words

# Staff who may see tokens may see which of their calls were refused.
SEES = "tokens.view_accesstoken"
OTHERS_AT_MOST = 20
# Refusals before the secret is known to be right are not kept.
BEFORE_THE_SECRET = {"https_required", "missing_credentials", "malformed_credentials"}


class WhenFilter(PeriodFilter):
    title = "when"
    path = "at"


class CodeFilter(admin.SimpleListFilter):
    title = "code"
    parameter_name = "code"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        kept = [each.code for each in CODES if each.status in NOTED]
        return [(code, code) for code in kept if code not in BEFORE_THE_SECRET]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[RefusedCall]
    ) -> QuerySet[RefusedCall]:
        return queryset.filter(code=self.value()) if self.value() else queryset


@admin.register(RefusedCall)
class RefusedCallAdmin(LargeTableAdmin, ReadOnly):
    change_form_template = "admin/assessments/refusedcall/change_form.html"
    list_display = ("when", "operation", "status", "cause", "wrong", "count", "project_name")
    list_select_related = ("project",)
    list_filter = (ProjectFilter.on("project"), WhenFilter, CodeFilter)
    ordering = ("-at", "-pk")
    fields = (
        *("when", "project_page", "token", "operation", "status", "code", "wrong", "count"),
        *("request_id", "others"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[RefusedCall]:
        calls: QuerySet[RefusedCall] = RefusedCall.objects.select_related("project", "access_token")
        return calls

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return request.user.has_perm(SEES)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(SEES)

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: RefusedCall | None = None,
    ) -> Any:
        if obj is not None:
            context["explanation"] = explain(obj)
        return super().render_change_form(request, context, add, change, form_url, obj)

    @admin.display(description="when")
    def when(self, call: RefusedCall) -> str:
        return moment_in_words(call.at, call.project.time_zone)

    @admin.display(description="code")
    def cause(self, call: RefusedCall) -> str:
        return call.cause

    @admin.display(description="fields", empty_value="the whole call")
    def wrong(self, call: RefusedCall) -> str | None:
        named = [f"{each['field'] or 'body'}: {each['code']}" for each in call.fields]
        return ", ".join(named) or None

    @admin.display(description="project")
    def project_name(self, call: RefusedCall) -> str:
        return call.project.name_in_lists

    @admin.display(description="project")
    def project_page(self, call: RefusedCall) -> SafeString:
        return links_to([call.project])

    @admin.display(description="token")
    def token(self, call: RefusedCall) -> SafeString:
        token = call.access_token
        return links_to([token], [f"{token.token_id}, now {token.state_at().value}"])

    @admin.display(description="others with this request id", empty_value="none")
    def others(self, call: RefusedCall) -> SafeString | None:
        same = RefusedCall.objects.filter(request_id=call.request_id, project=call.project)
        return links_to(same.exclude(pk=call.pk).order_by("-at")[:OTHERS_AT_MOST]) or None
