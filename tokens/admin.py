"""Access tokens in the admin: the list, and how one is issued, rotated and revoked."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_variables

from partners.back_office.actions import Action, ReasonForm, reason_field
from partners.back_office.admin_base import ReadOnlyAdmin
from partners.back_office.filters import ChoiceFilter, ProjectFilter
from partners.back_office.pages import link_to, secret_page
from partners.models import Project
from partners.times import parse_duration
from tokens import crypto
from tokens.models import MAX_LIVE_TOKENS, ROTATE_REASON_MAX, AccessToken, TokenState

PREPARE = "We keep only a digest, so prepare a safe way to hand it over."


class NewTokenForm(forms.Form):
    required_css_class = "required"

    label = AccessToken._meta.get_field("label").formfield(
        widget=forms.TextInput(attrs={"size": 60})
    )
    expires_in = forms.TypedChoiceField(
        label="Expires",
        required=False,
        coerce=parse_duration,
        empty_value=None,
        choices=[
            ("", "never: it works until it is rotated or revoked"),
            ("30d", "after 30 days"),
            ("90d", "after 90 days"),
            ("180d", "after 180 days"),
            ("365d", "after a year"),
        ],
    )


class IssueForm(ReasonForm, NewTokenForm):
    """Carries the future token's id, so that it issues one token however often it is sent."""

    project = forms.ModelChoiceField(Project.objects.open().select_related("partner"))
    token_id = forms.RegexField(
        crypto.NEW_TOKEN_ID, initial=crypto.new_token_id, widget=forms.HiddenInput
    )
    field_order = ("project", "label", "expires_in", "reason")


class RotateForm(ReasonForm):
    reason = reason_field(ROTATE_REASON_MAX)
    overlap = forms.TypedChoiceField(
        label="The old token ends",
        coerce=parse_duration,
        initial="7d",
        choices=[
            ("0", "at once, without an overlap"),
            ("1h", "after an hour"),
            ("1d", "after a day"),
            ("7d", "after 7 days"),
            ("14d", "after 14 days"),
            ("30d", "after 30 days"),
        ],
        help_text="Until then both work, so that the partner can switch without a gap.",
    )
    field_order = ("overlap", "reason")


class Issue(Action):
    name, title = "issue", "Issue access token"
    permission = "tokens.issue_token"
    form_class = IssueForm
    explanation = (
        f"The next page shows the secret of the new token once. {PREPARE}",
        f"A project can have {MAX_LIVE_TOKENS} live tokens; ending ones are not counted.",
    )

    def get_initial(self) -> dict[str, Any]:
        return {"project": self.request.GET.get("project")}

    @sensitive_variables("secret")
    def run(self, *, project: Project, **values: Any) -> HttpResponse:
        token, secret = AccessToken.objects.issue(project, **values, by=self.by)
        return secret_page(self.request, token, secret)


class Rotate(Action):
    name, title, link = "rotate", "Rotate access token", "Rotate"
    permission = "tokens.rotate_token"
    form_class = RotateForm

    def refusal(self) -> str:
        if self.row.state_at() is not TokenState.LIVE:
            return str(self.row.end_in_words())
        project = self.row.project
        return f"Project {project.project_id} is closed." if project.is_closed else ""

    def explain(self) -> Sequence[str]:
        return (
            f"Access token {self.row} of {self.row.project} gets a successor, and ends. Its last "
            f"use: {self.row.last_use_in_words}. The successor gets the same lifetime.",
            "If the secret leaked but the partner's service must go on, choose an hour and hand "
            "over the new secret. The old token ends by itself; to end it sooner, press Revoke on "
            "its page once the new one shows a last use.",
            f"The next page shows the secret of the successor once. {PREPARE} If the old token "
            "ends at once, that page also offers to cancel its unused links.",
        )

    @sensitive_variables("secret")
    def run(self, *, overlap: timedelta, reason: str) -> HttpResponse:
        successor, secret = self.row.rotate(by=self.by, overlap=overlap, reason=reason)
        return secret_page(self.request, successor, secret)


class Revoke(Action):
    name, title, link = "revoke", "Revoke access token", "Revoke"
    permission = "tokens.revoke_token"
    is_final = True

    def refusal(self) -> str:
        return str(self.row.end_in_words()) if self.row.revoked_at else ""

    def explain(self) -> Sequence[str]:
        end = "To change a token without a gap, rotate it instead."
        if successor := getattr(self.row, "successor", None):
            end = f"Its successor is {successor}, last use: {successor.last_use_in_words}."
        return (
            f"Every call with access token {self.row} of {self.row.project} will be refused from "
            f"the moment you press the button. Its last use: {self.row.last_use_in_words}.",
            "Links that it issued can still be started. Its page then offers to cancel them.",
            f"This cannot be undone. {end}",
        )

    def run(self, *, reason: str) -> str:
        self.row.revoke(by=self.by, reason=reason)
        unused = self.row.unused_links()
        left = f" Links that can still be started: {unused:,}." if unused else ""
        return f"Access token {self.row} is revoked.{left}"


class CancelLinks(Action):
    name, title = "cancel-links", "Cancel its unused links"
    permission = "tokens.revoke_token"
    form_class = forms.Form
    leave = "Keep the links"
    is_final = True

    def refusal(self) -> str:
        if self.row.is_live():
            return f"Access token {self.row} still works, and issues more links. Revoke it first."
        if not self.row.unused_links():
            return f"Access token {self.row} has no link that can still be started."
        return ""

    def explain(self) -> Sequence[str]:
        return (
            f"Access token {self.row} of {self.row.project} has ended, but "
            f"{self.row.unused_links()} of the links that it issued can still be started. Once "
            "cancelled, nobody can start them. The partner issues new ones to its students.",
            "This cannot be undone. Links that were started are not touched.",
        )

    def run(self) -> str:
        return f"Links cancelled: {self.row.cancel_links(by=self.by):,}."


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
