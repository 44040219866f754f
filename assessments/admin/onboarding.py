"""Onboarding on one page (partner, project, catalogue, first token), and the onboarding pack."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from assessments.onboarding.form import OnboardForm
from assessments.onboarding.handover import pack
from assessments.onboarding.onboard import Onboarded, onboard
from partners.actor_context import staff_actor
from partners.models import AuditEvent, Partner, Project
from partners.safe_autocomplete import is_key
from tokens.models import AccessToken, AlreadyIssued

RIGHTS = ("partners.add_partner", "partners.add_project", "tokens.issue_token")


@sensitive_variables("made")
def onboard_page(request: HttpRequest) -> HttpResponse:
    """Create a partner, project, catalogue and token, and show the secret in the response.

    Raises PermissionDenied without the permissions to do so.
    """
    if not request.user.has_perms(RIGHTS):
        raise PermissionDenied
    known = _partner_named(request.GET.get("partner", ""))
    sent = {"data": request.POST, "files": request.FILES} if request.POST else {}
    form = OnboardForm(**sent, user=request.user, partner=known)
    if form.is_valid():
        data = form.cleaned_data
        try:
            made = onboard(
                data["partner_name"],
                data["project_name"],
                contact_email=data["contact_email"],
                settings=form.project_settings,
                courses=form.rows,
                label=data["label"],
                expires_in=data["expires_in"],
                token_id=form.token_id,
                **staff_actor(request),
            )
        except AlreadyIssued:
            return _already_made(request, form)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            return _handed_over(request, form, made)
    return _page(request, "form", "Onboard a partner", form=form, known=known)


@require_safe
def pack_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the onboarding pack of a project, which contains a TokenId but no secret.

    `?token=` chooses the token; the default is the newest. `?download` sends a file. Raises
    PermissionDenied without the permissions, Http404 for an unknown project or token.
    """
    if not request.user.has_perms(["partners.view_project", "tokens.view_accesstoken"]):
        raise PermissionDenied
    project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)
    tokens = AccessToken.objects.for_project(project)
    if named := request.GET.get("token"):
        token: AccessToken | None = get_object_or_404(tokens, token_id=named)
    else:
        token = tokens.counted_against_cap().newest_first().first()
    text = pack(project, token) if token else ""
    token_id = token.token_id if token else ""
    AuditEvent.record("project.pack_opened", project, reason=token_id, **staff_actor(request))
    if text and "download" in request.GET:
        file_name = f"onboarding-{project.project_id}.txt"
        headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)
    title = f"Onboarding pack of {project.name}"
    return _page(request, "pack", title, project=project, token=token, pack=text)


def _partner_named(pk: str) -> Partner | None:
    """Return the partner chosen in the address, or None. Raises Http404 if it does not exist."""
    if pk and not is_key(pk):
        raise Http404
    return get_object_or_404(Partner, pk=pk) if pk else None


@sensitive_variables("made", "secret")
def _handed_over(request: HttpRequest, form: OnboardForm, made: Onboarded) -> HttpResponse:
    """Show the secret in a response that no cache and no browser may store."""
    response = _page(
        request,
        "done",
        f"{made.project.name} is onboarded",
        made=made,
        project=made.project,
        token=made.token,
        secret=made.secret,
        pack=pack(made.project, made.token),
        count=len(form.rows),
        notes=form.notes,
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _already_made(request: HttpRequest, form: OnboardForm) -> HttpResponse:
    token = AccessToken.objects.with_project().of_form(form.token_id).get()
    title = "This was already done"
    response = _page(request, "already_made", title, token=token, project=token.project)
    response.status_code = HTTPStatus.CONFLICT
    return response


def _page(request: HttpRequest, template: str, title: str, **context: object) -> TemplateResponse:
    everywhere = admin.site.each_context(request)
    template = f"admin/onboarding/{template}.html"
    return TemplateResponse(request, template, {**everywhere, "title": title, **context})
