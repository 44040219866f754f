"""Onboarding in one page: partner, project, catalogue and first token; and what to hand over."""

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
from partners.models import Partner, Project
from partners.origin import of_staff
from partners.safe_autocomplete import is_key
from tokens.models import AccessToken
from tokens.refusals import AlreadyIssued

RIGHTS = ("partners.add_partner", "partners.add_project", "tokens.issue_token")


@sensitive_variables("made")
def onboard_page(request: HttpRequest) -> HttpResponse:
    """Ask for everything, then make it and show the secret in this very answer."""
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
                **of_staff(request),
            )
        except AlreadyIssued:
            return _made_before(request, form)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            return _handed_over(request, form, made)
    return _page(request, "form", "Onboard a partner", form=form, known=known)


@require_safe
def pack_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what to hand over, for a token of the project: ?token= names it, else the newest.

    With ?download it is a file. The TokenId stands in it.
    """
    if not request.user.has_perms(["partners.view_project", "tokens.view_accesstoken"]):
        raise PermissionDenied
    project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)
    tokens = AccessToken.objects.for_project(project)
    if token_id := request.GET.get("token"):
        token: AccessToken | None = get_object_or_404(tokens, token_id=token_id)
    else:
        token = tokens.counted_against_cap().newest_first().first()
    text = pack(project, token) if token else ""
    if text and "download" in request.GET:
        file_name = f"onboarding-{project.project_id}.txt"
        headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)
    title = f"Onboarding pack of {project.name}"
    return _page(request, "pack", title, project=project, token=token, pack=text)


def _partner_named(pk: str) -> Partner | None:
    """Return the partner whose page leads here. Raise Http404 if there is none of this key."""
    if pk and not is_key(pk):
        raise Http404
    return get_object_or_404(Partner, pk=pk) if pk else None


@sensitive_variables("made", "secret")
def _handed_over(request: HttpRequest, form: OnboardForm, made: Onboarded) -> HttpResponse:
    """Show the secret. Nothing keeps this answer: neither we, nor a cache, nor the browser."""
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
        passed_over=form.passed_over,
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _made_before(request: HttpRequest, form: OnboardForm) -> HttpResponse:
    token = AccessToken.objects.with_project().get(token_id=form.token_id)
    title = "This was done before"
    response = _page(request, "already_made", title, token=token, project=token.project)
    response.status_code = HTTPStatus.CONFLICT
    return response


def _page(request: HttpRequest, template: str, title: str, **context: object) -> TemplateResponse:
    everywhere = admin.site.each_context(request)
    template = f"admin/onboarding/{template}.html"
    return TemplateResponse(request, template, {**everywhere, "title": title, **context})
