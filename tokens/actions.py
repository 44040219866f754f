"""Buttons of the admin that issue, rotate and revoke a token, and the pages that follow."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_variables

from partners.back_office.actions import Action, ReasonForm
from partners.back_office.admin_base import admin_page
from partners.models import Project
from tokens.forms import IssueForm, RotateForm
from tokens.models import MAX_LIVE_TOKENS, AccessToken, TokenState


@sensitive_variables("secret")
def secret_page(
    request: HttpRequest, token: AccessToken, secret: str, made: Sequence[str] = ()
) -> HttpResponse:
    """Show the credential, once; `made` lists what else was created."""
    return admin_page(
        request,
        "admin/tokens/accesstoken/secret.html",
        "Copy the secret now",
        opts=token._meta,
        token=token,
        secret=secret,
        made=made,
        docs=f"{settings.APP_URL}/docs/",
    )


class Issue(Action):
    name, title = "issue", "Issue access token"
    permission = "tokens.issue_token"
    form_class = IssueForm
    template_name = "admin/tokens/accesstoken/issue.html"
    most = MAX_LIVE_TOKENS

    def get_initial(self) -> dict[str, Any]:
        return {"project": self.request.GET.get("project")}

    @sensitive_variables("secret")
    def run(self, *, project: Project, **values: Any) -> HttpResponse:
        token, secret = AccessToken.objects.issue(project, **values, by=self.by)
        return secret_page(self.request, token, secret)


class Rotate(Action):
    name, title = "rotate", "Rotate access token"
    permission = "tokens.rotate_token"
    form_class = RotateForm
    template_name = "admin/tokens/accesstoken/rotate.html"

    def refusal(self) -> str:
        if self.row.state_at() is not TokenState.LIVE:
            return str(self.row.end_in_words())
        project = self.row.project
        return f"Project {project.project_id} is closed." if project.is_closed else ""

    @sensitive_variables("secret")
    def run(self, *, overlap: timedelta, reason: str) -> HttpResponse:
        successor, secret = self.row.rotate(by=self.by, overlap=overlap, reason=reason)
        return secret_page(self.request, successor, secret)


class Revoke(Action):
    name, title = "revoke", "Revoke access token"
    permission = "tokens.revoke_token"
    form_class = ReasonForm
    template_name = "admin/tokens/accesstoken/revoke.html"
    is_final = True

    def refusal(self) -> str:
        return str(self.row.end_in_words()) if self.row.revoked_at else ""

    def run(self, *, reason: str) -> str | None:
        if not self.row.revoke(by=self.by, reason=reason):
            return None
        unused = self.row.unused_links()
        left = f" Links that can still be started: {unused:,}." if unused else ""
        return f"Access token {self.row} is revoked.{left}"


class CancelLinks(Action):
    name, title = "cancel-links", "Cancel its unused links"
    template_name = "admin/tokens/accesstoken/cancel_links.html"
    permission = "tokens.revoke_token"
    leave = "Keep the links"
    is_final = True

    def refusal(self) -> str:
        if self.row.is_live():
            return f"Access token {self.row} still works, and issues more links. Revoke it first."
        if not self.row.unused_links():
            return f"Access token {self.row} has no link that can still be started."
        return ""

    def run(self) -> str | None:
        if self.row.is_live():
            return None
        return f"Links cancelled: {self.row.cancel_links(by=self.by):,}."
