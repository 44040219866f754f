"""Partners' refused calls, for support. They name no student, so views are not audited."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import ChangeList
from django.db import models
from django.http import HttpRequest

from assessments.api.failures import CODES, FIELD_CODES, REASONS
from assessments.models import RefusedCall
from partners.back_office.admin_base import NamedChangeList, ReadOnlyAdmin
from partners.back_office.filters import PeriodFilter, ProjectFilter
from partners.times import moment_in_words

# What a code or reason means and what to do, in the sentences of the partners' documentation.
_EXPLANATIONS = {name: (code.meaning, code.action) for name, code in CODES.items()} | REASONS


class RefusedCallList(NamedChangeList):
    """List the newest of the equal calls of a day, with their number in `count`."""

    def get_queryset(self, *args: Any, **kwargs: Any) -> Any:
        calls: Any = super().get_queryset(*args, **kwargs)
        self.counts = calls.count_equal()
        return calls.filter(pk__in=self.counts)

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        for call in self.result_list:
            call.count = self.counts[call.pk]


@admin.register(RefusedCall)
class RefusedCallAdmin(ReadOnlyAdmin):
    when_empty = "Calls that were refused although the secret was right appear here for 30 days."
    list_display = ("when", "operation", "status", "cause", "wrong", "count", "project_name")
    list_select_related = ("project",)
    list_filter = (ProjectFilter, PeriodFilter.on("at"))
    show_facets = ShowFacets.NEVER
    sortable_by = ()
    ordering = ("-at", "-pk")
    fields = (
        *("meaning", "action", "when", "project", "access_token", "operation", "status", "code"),
        *("wrong", "count", "request_id"),
    )

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return RefusedCallList

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        # Staff who may see tokens may also see which calls with them were refused.
        return request.user.has_perm("tokens.view_accesstoken")

    has_module_permission = has_view_permission

    @admin.display(description="what was wrong")
    def meaning(self, call: RefusedCall) -> str:
        meanings = [
            f"{fault['field']}: {FIELD_CODES[fault['code']]}"
            for fault in call.fields
            if fault["field"] and fault["code"] in FIELD_CODES
        ]
        text = " ".join(meanings) or _EXPLANATIONS[call.reason or call.code][0]
        return text.replace("`", "")

    @admin.display(description="what the partner can do")
    def action(self, call: RefusedCall) -> str:
        return _EXPLANATIONS[call.reason or call.code][1].replace("`", "")

    def when(self, call: RefusedCall) -> str:
        return moment_in_words(call.at, call.project.time_zone)

    @admin.display(description="code")
    def cause(self, call: RefusedCall) -> str:
        return f"{call.code}: {call.reason}" if call.reason else call.code

    @admin.display(description="fields", empty_value="the whole call")
    def wrong(self, call: RefusedCall) -> str | None:
        faults = [f"{fault['field'] or 'body'}: {fault['code']}" for fault in call.fields]
        return ", ".join(faults) or None
