from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from partners.back_office.admin_base import ReadOnlyAdmin
from partners.back_office.filters import ChoiceFilter, ProjectFilter
from partners.back_office.pages import link_to
from tokens.actions import CancelLinks, Issue, Revoke, Rotate
from tokens.models import AccessToken, TokenState


class StateFilter(ChoiceFilter):
    options = TokenState.choices

    def rows(self, request: HttpRequest, queryset: Any, chosen: str) -> Any:
        return queryset.in_state(TokenState(chosen))


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnlyAdmin):
    when_empty = "Access tokens appear here once one is issued."
    list_actions = (Issue,)
    row_actions = (Rotate, Revoke, CancelLinks)
    list_display = ("token_id", "state", "used_for", "last_use", "expiry")
    list_filter = (StateFilter, ProjectFilter)
    search_fields = ("token_id", "label", "project__project_id", "project__name")
    search_help_text = "Token id, label, project or project id"
    ordering = ("-issued_at", "-pk")
    fields = (
        *("token_id", "project", "label", "state", "issued_at", "expiry", "last_use"),
        *("replaces", "replaced_by", "rotated_at", "revoked_at", "revoke_reason"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[AccessToken]:
        return AccessToken.objects.with_project().select_related("successor")

    def state(self, token: AccessToken) -> str:
        kind = text = token.state_at().value
        if token.project.is_closed and token.is_live():
            kind, text = "closed", "project closed"
        return format_html('<span class="state {}">{}</span>', kind, text)

    @admin.display(description="project", ordering="project__name")
    def used_for(self, token: AccessToken) -> str:
        label = format_html('<span class="label">{}</span>', token.label) if token.label else ""
        return format_html("{} {}", token.project.name_in_lists, label)

    @admin.display(description="last use", ordering="last_used_at")
    def last_use(self, token: AccessToken) -> str:
        return token.last_use_in_words

    @admin.display(description="expires", ordering="expires_at")
    def expiry(self, token: AccessToken) -> str:
        # A revoked token ended early, whatever its expiry.
        return "" if token.revoked_at else token.expiry_in_words

    def replaced_by(self, token: AccessToken) -> str:
        successor = getattr(token, "successor", None)
        return link_to(successor, str(successor)) if successor else ""
