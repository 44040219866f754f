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
from django.utils.text import capfirst
from django.views.decorators.debug import sensitive_variables

from partners.actions import Action
from partners.models import Project
from partners.models.audit import ActorContext
from tokens.forms import CANCEL, IssueForm, RevokeForm, RotateForm
from tokens.models import MAX_LIVE_TOKENS, AccessToken, AlreadyIssued, TokenState

logger = logging.getLogger(__name__)

CANCEL_LINKS = "Cancel its unused links"
SHOWN_ONCE = "once. We keep only a digest, so prepare a safe way to hand it over."


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
    replaced = token.replaces
    context = {
        **admin.site.each_context(request),
        "opts": token._meta,
        "title": "Copy the secret now",
        "token": token,
        "secret": secret,
        "expires": token.expiry_in_words,
        "replaced": replaced,
        "replaced_ends": replaced.expiry_in_words if replaced else "",
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

    def get_form_kwargs(self) -> dict[str, Any]:
        initial = {"project": self.request.GET.get("project")}
        return {**super().get_form_kwargs(), "user": self.request.user, "initial": initial}

    def says(self) -> list[str]:
        return [
            f"The next page shows the secret of the new token {SHOWN_ONCE}",
            f"A project can have {MAX_LIVE_TOKENS} live tokens; ending ones are not counted.",
        ]

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

    def get_form_kwargs(self) -> dict[str, Any]:
        more = {"user": self.request.user, "unused": self.row.unused_links()}
        return {**super().get_form_kwargs(), **more}

    def says(self) -> list[str]:
        return [
            f"Access token {self.row} of {self.row.project} gets a successor, and ends. "
            f"Its last use: {self.row.local_time(self.row.last_used_at)}. "
            "The successor gets the same lifetime.",
            "If the secret leaked but the partner's service must go on, choose an hour and "
            "hand over the new secret. The old token ends by itself; to end it sooner, press "
            "Revoke on its page once the new one shows a last use.",
            f"The next page shows the secret of the successor {SHOWN_ONCE}",
        ]

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
    is_final = True

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "unused": self.row.unused_links()}

    @property
    def successor(self) -> str:
        """The successor and its last use, in a sentence."""
        successor = getattr(self.row, "successor", None)
        if successor is None:
            return ""
        last_use = self.row.local_time(successor.last_used_at)
        return f"Its successor is {successor}, last use: {last_use}."

    def says(self) -> list[str]:
        instead = self.successor or "To change a token without a gap, rotate it instead."
        readiness = self.row.readiness_in_words()
        return [
            f"Every call with access token {self.row} of {self.row.project} will be refused from "
            "the moment you press the button. Its last use: "
            f"{self.row.local_time(self.row.last_used_at)}.",
            f"This cannot be undone. {instead}",
            *([f"{capfirst(readiness)}."] if readiness else []),
        ]

    def why_not(self) -> str:
        return str(self.row.why_not_live()) if self.row.revoked_at else ""

    def run(self, *, reason: str, links: str = "") -> str | None:
        if not self.row.revoke(reason=reason, **self.who):
            return None
        # A user who opened the page before a colleague rotated the token learns of it here.
        done = [f"Access token {self.row} is revoked.", self.successor]
        if links == CANCEL:
            done.append(cancel_links(self.row, self.who))
        return " ".join(filter(None, done))


class CancelLinks(Action):
    name, title = "cancel-links", CANCEL_LINKS
    permission = "tokens.revoke_token"
    leave = "Keep the links"
    is_final = True

    def says(self) -> list[str]:
        return [
            f"Access token {self.row} of {self.row.project} has ended, but "
            f"{self.row.unused_links():,} of the links that it issued can still be started. Once "
            "cancelled, nobody can start them. The partner issues new ones to its students.",
            "This cannot be undone. Links that were started are not touched.",
        ]

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
