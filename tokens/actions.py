"""Buttons of the admin that issue, rotate and revoke a token, and the pages that follow."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_variables

from partners.actions import Action
from partners.models import Project
from partners.models.audit import ActorContext
from tokens.forms import CANCEL, IssueForm, RevokeForm, RotateForm
from tokens.models import MAX_LIVE_TOKENS, AccessToken, AlreadyIssued, TokenState

logger = logging.getLogger(__name__)

CANCEL_LINKS = "Cancel its unused links"


@sensitive_variables("secret")
def secret_page(
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
        **admin.site.each_context(request),
        "opts": token._meta,
        "title": "Copy the secret now",
        "token": token,
        "secret": secret,
        "cancelled": cancelled,
        "made": made,
        "docs": f"{settings.APP_URL}/docs/",
    }
    template = "admin/tokens/accesstoken/secret.html"
    headers = {"Cache-Control": "no-store"}
    return TemplateResponse(request, template, context, headers=headers)


def already_issued_page(request: HttpRequest, token_id: str) -> HttpResponse:
    """Lead to the token that the same form has made before."""
    token = AccessToken.objects.issued_by_form(token_id).get()
    context = {
        **admin.site.each_context(request),
        "opts": token._meta,
        "title": "Already done",
        "token": token,
    }
    template = "admin/tokens/accesstoken/already_issued.html"
    return TemplateResponse(request, template, context, status=HTTPStatus.CONFLICT)


class Issue(Action):
    name, title = "issue", "Issue access token"
    permission = "tokens.issue_token"
    form_class = IssueForm
    template_name = "admin/tokens/accesstoken/issue.html"
    most = MAX_LIVE_TOKENS

    def get_form_kwargs(self) -> dict[str, Any]:
        initial = {"project": self.request.GET.get("project")}
        return {**super().get_form_kwargs(), "user": self.request.user, "initial": initial}

    @sensitive_variables("secret")
    def run(self, *, project: Project, once: str, **values: Any) -> HttpResponse:
        try:
            token, secret = AccessToken.objects.issue(project, token_id=once, **values, **self.who)
        except AlreadyIssued:
            return already_issued_page(self.request, once)
        return secret_page(self.request, token, secret)


class Rotate(Action):
    name, title = "rotate", "Rotate access token"
    permission = "tokens.rotate_token"
    form_class = RotateForm
    template_name = "admin/tokens/accesstoken/rotate.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        more = {"user": self.request.user, "unused": self.row.unused_links()}
        return {**super().get_form_kwargs(), **more}

    def why_not(self) -> str:
        if self.row.state_at() is not TokenState.LIVE:
            return str(self.row.why_not_live())
        project = self.row.project
        return f"Project {project.project_id} is closed." if project.is_closed else ""

    @sensitive_variables("secret")
    def run(self, *, overlap: timedelta, once: str, reason: str, links: str = "") -> HttpResponse:
        try:
            successor, secret = self.row.rotate(
                overlap=overlap, token_id=once, reason=reason, **self.who
            )
        except AlreadyIssued:
            return already_issued_page(self.request, once)
        cancelled = cancel_links(self.row, self.who) if links == CANCEL else ""
        return secret_page(self.request, successor, secret, cancelled)


class Revoke(Action):
    name, title = "revoke", "Revoke access token"
    permission = "tokens.revoke_token"
    form_class = RevokeForm
    template_name = "admin/tokens/accesstoken/revoke.html"
    is_final = True

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "unused": self.row.unused_links()}

    def why_not(self) -> str:
        return str(self.row.why_not_live()) if self.row.revoked_at else ""

    def run(self, *, reason: str, links: str = "") -> str | None:
        if not self.row.revoke(reason=reason, **self.who):
            return None
        done = f"Access token {self.row} is revoked."
        return f"{done} {cancel_links(self.row, self.who)}" if links == CANCEL else done


class CancelLinks(Action):
    name, title = "cancel-links", CANCEL_LINKS
    template_name = "admin/tokens/accesstoken/cancel_links.html"
    permission = "tokens.revoke_token"
    leave = "Keep the links"
    is_final = True

    def why_not(self) -> str:
        if self.row.is_live():
            return f"Access token {self.row} still works, and issues more links. Revoke it first."
        if not self.row.unused_links():
            return f"Access token {self.row} has no link that can still be started."
        return ""

    def run(self) -> str | None:
        return None if self.row.is_live() else cancelled(self.row.cancel_links(**self.who))


def cancel_links(token: AccessToken, who: ActorContext) -> str:
    """Cancel the unused links of a token that has just ended, and say how many.

    A failure must not hide the page, which may show a secret.
    """
    try:
        return cancelled(token.cancel_links(**who))
    except DatabaseError:
        logger.exception("The links of %s were not cancelled.", token)
        return f"The links were not cancelled. Press “{CANCEL_LINKS}” on the page of {token}."


def cancelled(links: int) -> str:
    return "1 link is cancelled." if links == 1 else f"{links:,} links are cancelled."
