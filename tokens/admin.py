"""Access tokens for support staff: three buttons, each with a page that asks first."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.db.models import Model, QuerySet, Value
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.views.decorators.debug import sensitive_variables

from partners.admin_base import ListedFilters, Unwritable
from partners.confirmation import confirmation
from partners.large_table_admin import ProjectFilter
from partners.models import AuditEvent
from partners.models.audit import staff_actor
from partners.times import moment_in_words
from tokens.forms import KEEP, IssueForm, OnceForm, RevokeForm, RotateForm
from tokens.list_filters import StateFilter
from tokens.models import (
    MAX_LIVE_TOKENS,
    AccessToken,
    AlreadyIssued,
    RotationReadiness,
    TokenRefused,
    TokenState,
)

logger = logging.getLogger(__name__)

QUIET_REASON = "ended after a rotation: nothing had called with it for a day"
CANCEL_LINKS = "Cancel its unused links"
ACTS = ("issue_token", "rotate_token", "revoke_token")


@admin.register(AccessToken)
class AccessTokenAdmin(ListedFilters, Unwritable, admin.ModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """A read-only admin. Buttons change a token by its methods."""

    change_form_template = "admin/tokens/accesstoken/change_form.html"
    change_list_template = "admin/tokens/accesstoken/change_list.html"
    list_display = (
        *("token_id", "state", "used_for"),
        *("last_use", "expiry", "issuer"),
    )
    list_filter = (StateFilter, ProjectFilter)
    search_fields = ("token_id", "label", "project__project_id", "project__name")
    search_help_text = "Token id, label, project or project id"
    ordering = ("-issued_at", "-pk")
    fields = (
        "token_id",
        "project",
        "label",
        "state",
        "issued_at",
        "issuer",
        "expiry",
        "last_use",
        "replaces",
        "replaced_by",
        "rotated_at",
        "revoked_at",
        "revoke_reason",
    )

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("issue/", wrap(self.issue_view), name="tokens_accesstoken_issue"),
            path("<int:pk>/rotate/", wrap(self.rotate_view), name="tokens_accesstoken_rotate"),
            path("<int:pk>/revoke/", wrap(self.revoke_view), name="tokens_accesstoken_revoke"),
            path(
                "<int:pk>/cancel-links/",
                wrap(self.cancel_links_view),
                name="tokens_accesstoken_cancel_links",
            ),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[AccessToken]:
        # The cell's method gets no request, so keep the user's permission.
        may_revoke = Value(request.user.has_perm("tokens.revoke_token"))
        tokens = AccessToken.objects.with_project().select_related("successor").with_issuer()
        return tokens.annotate(may_revoke=may_revoke)

    @admin.display
    def state(self, token: AccessToken) -> str:
        """Return the state and, for an ending token, whether it is safe to end, with a link."""
        return render_to_string("admin/tokens/accesstoken/_state.html", {"token": token})

    @admin.display(description="project", ordering="project__name")
    def used_for(self, token: AccessToken) -> str:
        label = format_html('<span class="label">{}</span>', token.label) if token.label else ""
        return format_html("{} {}", token.project.name_in_lists, label)

    @admin.display(description="issued by")
    def issuer(self, token: AccessToken) -> str:
        who = token.issuer_name or token.issuer  # type: ignore[attr-defined]  # annotated
        why = token.issue_reason  # type: ignore[attr-defined]  # annotated
        return f"{who}: {why}" if why else str(who or self.get_empty_value_display())

    @admin.display(description="last use", ordering="last_used_at")
    def last_use(self, token: AccessToken) -> str:
        return moment_in_words(token.last_used_at, token.project.time_zone)

    @admin.display(description="expires", ordering="expires_at")
    def expiry(self, token: AccessToken) -> str:
        # A revoked token ended early, whatever its expiry.
        if token.revoked_at:
            return str(self.get_empty_value_display())
        return moment_in_words(token.expires_at, token.project.time_zone)

    @admin.display
    def replaced_by(self, token: AccessToken) -> str:
        successor = getattr(token, "successor", None)
        if successor is None:
            return str(self.get_empty_value_display())
        url = reverse("admin:tokens_accesstoken_change", args=[successor.pk])
        return format_html('<a href="{}">{}</a>', url, successor)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        token = self.get_object(request, object_id)
        context: dict[str, Any] = {**(extra_context or {})}
        if token:
            is_live = token.state_at() is TokenState.LIVE
            context["events"] = AuditEvent.objects.about(token).with_staff_names().newest_first()
            context["has_unused_links"] = not token.is_live() and token.unused_links() > 0
            context["can_rotate"] = is_live and not token.project.is_closed
            # The old token of a rotation; shown on its own page and on its successor's.
            context["ending"] = ending = next(
                (each for each in (token, token.replaces) if each and each.readiness_at()), None
            )
            context["ending_at"] = self.expiry(ending) if ending else ""
        return super().change_view(request, object_id, form_url, context)

    @sensitive_variables("secret")
    def issue_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for the details, then issue a token and show its secret in the response."""
        self._require(request, "issue_token")
        form = IssueForm(
            request.POST or None,
            user=request.user,
            initial={"project": request.GET.get("project")},
        )
        if form.is_valid():
            data = form.cleaned_data
            try:
                token, secret = AccessToken.objects.issue(
                    data["project"],
                    label=data["label"],
                    expires_in=data["expires_in"],
                    token_id=form.token_id,
                    reason=data["reason"],
                    **staff_actor(request),
                )
            except AlreadyIssued:
                return self.already_issued_page(request, form)
            except TokenRefused as refusal:
                form.add_error(None, str(refusal))
            else:
                return self.secret_page(request, token, secret)
        return confirmation(
            self,
            request,
            title="Issue access token",
            says=[
                "The next page shows the secret of the new token once. We keep only a digest, so "
                "prepare a safe way to hand it over.",
                f"A project can have {MAX_LIVE_TOKENS} live tokens; ending ones are not counted.",
            ],
            form=form,
        )

    @sensitive_variables("secret")
    def rotate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for the overlap, then issue a successor and show its secret in the response."""
        token = self._token_to_act_on(request, "rotate_token", pk)
        form = RotateForm(request.POST or None, user=request.user, unused=token.unused_links())
        if form.is_valid():
            try:
                successor, secret = token.rotate(
                    overlap=form.cleaned_data["overlap"],
                    token_id=form.token_id,
                    **staff_actor(request),
                )
            except AlreadyIssued:
                return self.already_issued_page(request, form)
            except TokenRefused as refusal:
                return self._back(request, token, messages.ERROR, str(refusal))
            cancelled = _cancel_links(request, token) if form.cancels_links else ""
            return self.secret_page(request, successor, secret, cancelled)
        if token.state_at() is not TokenState.LIVE:
            return self._back(request, token, messages.ERROR, token.why_not_live())
        if token.project.is_closed:
            why = f"Project {token.project.project_id} is closed."
            return self._back(request, token, messages.ERROR, why)
        return confirmation(
            self,
            request,
            title="Rotate access token",
            says=[
                f"Access token {token} of {token.project} gets a successor, and ends. "
                f"Its last use: {self.last_use(token)}. "
                "The successor gets the same lifetime.",
                "If the secret leaked but the partner's service must go on, choose an hour and "
                "hand over the new secret. The old token ends by itself; to end it sooner, press "
                "Revoke on its page once the new one shows a last use.",
                "The next page shows the secret of the successor once. We keep only a digest, so "
                "prepare a safe way to hand it over.",
            ],
            form=form,
            target=token,
        )

    def revoke_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        token = self._token_to_act_on(request, "revoke_token", pk)
        is_safe = token.readiness_at() is RotationReadiness.SAFE
        initial = {"reason": QUIET_REASON if is_safe else ""}
        if is_safe:
            initial["links"] = KEEP
        form = RevokeForm(request.POST or None, initial=initial, unused=token.unused_links())
        successor = getattr(token, "successor", None)
        instead = (
            f"Its successor is {successor}, last use: {self.last_use(successor)}."
            if successor
            else "To change a token without a gap, rotate it instead."
        )
        if form.is_valid() and token.revoke(
            reason=form.cleaned_data["reason"], **staff_actor(request)
        ):
            # A user who opened the page before a colleague rotated the token learns of it here.
            done = f"Access token {token} is revoked. " + (instead if successor else "")
            if form.cancels_links:
                done = f"{done.strip()} {_cancel_links(request, token)}"
            return self._back(request, token, messages.SUCCESS, done.strip())
        if token.revoked_at:
            return self._back(request, token, messages.WARNING, token.why_not_live())
        return confirmation(
            self,
            request,
            title="Revoke access token",
            says=[
                f"Every call with access token {token} of {token.project} will be refused from "
                f"the moment you press the button. Its last use: {self.last_use(token)}.",
                f"This cannot be undone. {instead}",
                *self._readiness_of(token),
            ],
            form=form,
            target=token,
            is_final=True,
        )

    def cancel_links_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        token = self._token_to_act_on(request, "revoke_token", pk)
        if token.is_live():
            says = f"Access token {token} still works, and issues more links. Revoke it first."
            return self._back(request, token, messages.WARNING, says)
        if request.method == "POST":
            says = _cancelled(token.cancel_links(**staff_actor(request)))
            return self._back(request, token, messages.SUCCESS, says)
        unused = token.unused_links()
        if not unused:
            says = f"Access token {token} has no link that can still be started."
            return self._back(request, token, messages.WARNING, says)
        return confirmation(
            self,
            request,
            title=CANCEL_LINKS,
            says=[
                f"Access token {token} of {token.project} has ended, but {unused:,} of the links "
                "that it issued can still be started. Once cancelled, nobody can start them. The "
                "partner issues new ones to its students.",
                "This cannot be undone. Links that were started are not touched.",
            ],
            form=Form(request.POST or None),
            target=token,
            is_final=True,
            leave="Keep the links",
        )

    def _readiness_of(self, token: AccessToken) -> list[str]:
        if token.readiness_at() is RotationReadiness.BRIEF:
            return [f"Otherwise it ends by itself {self.expiry(token)}."]
        words = token.readiness_in_words()
        return [f"{capfirst(words)}."] if words else []

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        # Users who may change tokens must be able to find them.
        may_act = any(request.user.has_perm(f"tokens.{act}") for act in ACTS)
        return may_act or super().has_view_permission(request, obj)

    def _require(self, request: HttpRequest, permission: str) -> None:
        if not request.user.has_perm(f"tokens.{permission}"):
            raise PermissionDenied

    def _token_to_act_on(self, request: HttpRequest, permission: str, pk: int) -> AccessToken:
        self._require(request, permission)
        return get_object_or_404(AccessToken.objects.with_project(), pk=pk)

    @sensitive_variables("secret")
    def secret_page(
        self,
        request: HttpRequest,
        token: AccessToken,
        secret: str,
        cancelled: str = "",
        made: Sequence[str] = (),
    ) -> HttpResponse:
        """Show the credential. The response is not stored by us, a cache or the browser.

        `made` says what else was created.
        """
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Copy the secret now",
            "token": token,
            "secret": secret,
            "expires": self.expiry(token),
            "replaced": token.replaces,
            "replaced_ends": self.expiry(token.replaces) if token.replaces else "",
            "cancelled": cancelled,
            "made": made,
            "docs": f"{settings.APP_URL}/docs/",
        }
        template = "admin/tokens/accesstoken/secret.html"
        headers = {"Cache-Control": "no-store"}
        return TemplateResponse(request, template, context, headers=headers)

    def already_issued_page(self, request: HttpRequest, form: OnceForm) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Already done",
            "token": AccessToken.objects.of_form(form.token_id).get(),
        }
        template = "admin/tokens/accesstoken/already_issued.html"
        return TemplateResponse(request, template, context, status=HTTPStatus.CONFLICT)

    def _back(
        self, request: HttpRequest, token: AccessToken, level: int, text: str
    ) -> HttpResponse:
        messages.add_message(request, level, text)
        return HttpResponseRedirect(reverse("admin:tokens_accesstoken_change", args=[token.pk]))


def _cancel_links(request: HttpRequest, token: AccessToken) -> str:
    """Cancel the unused links of a token that has just ended, and say how many.

    A failure must not hide the page, which may show a secret.
    """
    try:
        return _cancelled(token.cancel_links(**staff_actor(request)))
    except DatabaseError:
        logger.exception("The links of %s were not cancelled.", token)
        return f"The links were not cancelled. Press “{CANCEL_LINKS}” on the page of {token}."


def _cancelled(links: int) -> str:
    return "1 link is cancelled." if links == 1 else f"{links:,} links are cancelled."
