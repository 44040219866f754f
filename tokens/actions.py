"""Buttons of the admin that issue, rotate and revoke a token, and the pages that follow."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_variables

from partners.back_office.actions import Action
from partners.back_office.pages import admin_page
from partners.models import Project
from tokens.forms import IssueForm, RotateForm
from tokens.models import MAX_LIVE_TOKENS, AccessToken, TokenState

PREPARE = "We keep only a digest, so prepare a safe way to hand it over."


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
    form_class = Form
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
