"""Search by anything that a student or partner may send: address, number, link or identifier.

The text is posted, so that it is in no address. A link is a secret: it is hashed for the look-up
and never shown again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_variables

from assessments.desk.audited_views import FINDS, note_list
from assessments.desk.search_input import MAX_LENGTH, Kind, SearchInput, parse
from assessments.models import Assessment, AssessmentLink, RefusedCall, Student
from partners.admin_base import page_of
from partners.models import Partner, Project
from tokens.models import AccessToken

LIMITED_AT_MOST = 5
LISTED_AT_MOST = 50
LEAKED = "The text contains a TokenSecret, a key to a project. It leaked when it was sent to you."
# Columns with a unique value.
COLUMNS: dict[Kind, tuple[type[models.Model], str]] = {
    Kind.LINK_NUMBER: (AssessmentLink, "pk"),
    Kind.LINK_ID: (AssessmentLink, "link_id"),
    Kind.ASSESSMENT_ID: (Assessment, "assessment_id"),
    Kind.TOKEN_ID: (AccessToken, "token_id"),
    Kind.SECRET: (AccessToken, "token_id"),
    Kind.PROJECT_ID: (Project, "project_id"),
}


class FindForm(forms.Form):
    q = forms.CharField(
        label="Search for",
        max_length=MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"size": 60, "autocomplete": "off", "spellcheck": "false", "autofocus": True}
        ),
        help_text="E-mail address, mobile number, the link that the student was sent, "
        "LinkId, AssessmentId, TokenId, projectId, the requestId of a refused call, or the name of "
        "a partner or project.",
    )

    project = forms.ModelChoiceField(
        Project.objects.all(), required=False, widget=forms.HiddenInput
    )


@sensitive_variables()
def search(model_admin: admin.ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Redirect to the only result, list several, or say what to try.

    Raises PermissionDenied without the permission to search.
    """
    if not request.user.has_perm(FINDS):
        raise PermissionDenied
    form = FindForm(request.POST or None)
    context: dict[str, Any] = {}
    if form.is_valid():
        what, project = parse(form.cleaned_data["q"]), form.cleaned_data["project"]
        rows = list(_rows(what, project)) if what.value else []
        found = [row for row in rows if _may_open(request, row)]
        note_list(request, "find", len(found))
        if len(found) == 1:
            if what.kind is Kind.SECRET:
                leaked = f"{LEAKED} This is its token: rotate it, and let the old one end at once."
                messages.error(request, leaked)
            return HttpResponseRedirect(page_of(found[0]))
        over = RefusedCall.objects.over_a_limit()
        limited = over[:LIMITED_AT_MOST] if what.kind is Kind.REQUEST_ID else ()
        context = {
            "what": what,
            "project": project,
            "found": _results(found),
            "at_most": LISTED_AT_MOST,
            "is_hidden": bool(rows),
            "limited": _results([call for call in limited if _may_open(request, call)]),
        }
        typed = (what.value or form.cleaned_data["q"]) if what.may_repeat else ""
        form = FindForm(initial={"q": typed, "project": project})
    elif form.is_bound:
        # The text may be a secret, so only the errors go back to the browser.
        form.data = QueryDict()
    context |= {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": "Find a student, link, token or project",
        "form": form,
    }
    template = "admin/assessments/assessmentlink/find.html"
    headers = {"Cache-Control": "no-store"}
    return TemplateResponse(request, template, context, headers=headers)


def _rows(what: SearchInput, project: Project | None) -> Iterable[models.Model]:
    """Return the matching rows: one, or several students, or several partners and projects.

    Within a project, students are found by a part of their name too. All but names are found by an
    index; partners and projects are few.
    """
    if what.kind in COLUMNS:
        model, column = COLUMNS[what.kind]
        return model._default_manager.filter(**{column: what.value})
    if what.kind is Kind.LINK:
        link = AssessmentLink.objects.of_link_token(what.value)
        return [link] if link else []
    if what.kind is Kind.REQUEST_ID:
        # Retries may share an id: the page of the newest names the others.
        calls = RefusedCall.objects.filter(request_id=what.value).order_by("-at", "-pk")[:1]
        return calls or _named(what.value)  # a name may look like an id
    if what.kind is Kind.NAME and project is None:
        return _named(what.value)
    if what.kind is Kind.NAME:
        students = Student.objects.filter(project=project, name__icontains=what.value)
    else:
        students = Student.objects.known_by(what.value)
    return students.select_related("project__partner").order_by("-pk")[:LISTED_AT_MOST]


def _named(text: str) -> list[models.Model]:
    """Return partners, then projects, with a part of this name; a partner with all its projects."""
    partners = Partner.objects.filter(name__icontains=text).order_by("name")[:LISTED_AT_MOST]
    projects = Project.objects.filter(Q(name__icontains=text) | Q(partner__name__icontains=text))
    return [*partners, *projects.select_related("partner").order_by("name", "pk")[:LISTED_AT_MOST]]


def _may_open(request: HttpRequest, row: models.Model) -> bool:
    return admin.site.get_model_admin(type(row)).has_view_permission(request, row)


def _results(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return each result with its kind and its address; a student with the newest link."""
    students = [row for row in rows if isinstance(row, Student)]
    links = AssessmentLink.objects.of_students(students).newest_of_each().with_attempts()
    newest = {link.student_id: link for link in links.with_newest_of_attempt()}
    for student in students:
        if link := newest.get(student.pk):
            link.student = student
    return [
        {
            "kind": row._meta.model_name,
            "url": page_of(row),
            "row": row,
            "newest": newest.get(row.pk) if isinstance(row, Student) else None,
        }
        for row in rows
    ]
