"""Search by anything that a student or partner may send: address, number, link or identifier.

The text is posted, so that it is in no address. A link is a secret: it is hashed for the look-up
and never shown again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.desk.audited_views import FINDS, note_list
from assessments.desk.search_input import LINK_TOKEN_LENGTH, MAX_LENGTH, Kind, SearchInput, parse
from assessments.models import Assessment, AssessmentLink, RefusedCall, Student
from partners.admin_base import page_of
from partners.models import Partner, Project
from partners.times import moment_in_words
from tokens.models import AccessToken

LIMITED_AT_MOST = 5
LISTED_AT_MOST = 50
NOT_YOURS = "This exists, but your role does not allow you to open its page."
LEAKED = "The text contains a TokenSecret, a key to a project. It leaked when it was sent to you."
ONE_OF_THESE = (
    "the e-mail address or mobile number that the partner has for the student, the complete link, "
    "a LinkId (lnk_…), an AssessmentId (asm_…), a TokenId (tok_…), a projectId (prj_…) or the "
    "requestId of a refused call"
)
ONLY_ONE = "Paste only the link, the address or the number, without the text around it."
SIXTEEN = "16 letters and digits follow, and upper and lower case matter."
WHOLE = {
    Kind.EMAIL: "Type a complete one, such as asha@example.com.",
    Kind.LINK_ID: f"A LinkId begins with lnk_; {SIXTEEN}",
    Kind.ASSESSMENT_ID: f"An AssessmentId begins with asm_; {SIXTEEN}",
    Kind.TOKEN_ID: f"A TokenId begins with tok_; {SIXTEEN}",
    Kind.PROJECT_ID: f"A projectId begins with prj_; {SIXTEEN}",
}
NO_STUDENT = "No student in any project has it."
ASK_THE_PARTNER = (
    "Ask the partner which address they sent when they requested the link: students often use "
    "another one. Erased students cannot be found."
)
# For a complete value that is not found: a sentence that says so, and what to try.
UNKNOWN = {
    Kind.EMAIL: (NO_STUDENT, ASK_THE_PARTNER),
    Kind.MOBILE: (
        "No student in any project has it as their latest number.",
        "Search for the e-mail address, which identifies a student. A number from abroad needs its "
        "country code.",
    ),
    Kind.LINK: (
        "It is not one of our links.",
        "Compare its first and last letters with the message, or search for the student's e-mail "
        "address. Links are deleted some weeks after they expire unused.",
    ),
    Kind.LINK_NUMBER: ("No link has this number.", "Search for the e-mail address."),
    Kind.LINK_ID: (
        "There is no such link.",
        "Copy it from the partner's records instead of typing it: upper and lower case matter. "
        "Links are deleted some weeks after they expire unused.",
    ),
    Kind.ASSESSMENT_ID: (
        "There is no such attempt.",
        "Copy it from the partner's records instead of typing it: upper and lower case matter. "
        "Attempts are deleted when the project's retention time ends.",
    ),
    Kind.TOKEN_ID: (
        "There is no such token.",
        "Copy it instead of typing it: upper and lower case matter. The project's page lists its "
        "tokens.",
    ),
    Kind.REQUEST_ID: (
        "No refused call has this requestId.",
        "A refused call can be found some seconds later, for 30 days, and only if its secret was "
        "right. Calls over a limit are counted: of each minute, only one requestId is kept. The "
        "last such minutes are below, if there are any. For a wrong secret, a wrong path or a "
        "failure on our side, the operator finds the requestId in the logs.",
    ),
    Kind.PROJECT_ID: (
        "There is no such project.",
        "Copy it instead of typing it: upper and lower case matter. You can search the list of "
        "projects by name.",
    ),
}


class FindForm(forms.Form):
    q = forms.CharField(
        label="Search for",
        max_length=MAX_LENGTH,
        strip=True,
        widget=forms.TextInput(
            attrs={"size": 60, "autocomplete": "off", "spellcheck": "false", "autofocus": True}
        ),
        help_text="E-mail address, mobile number, the link that the student was sent, "
        "LinkId, AssessmentId, TokenId, projectId, the requestId of a refused call, or the name of "
        "a partner or project.",
        error_messages={
            "required": "Type or paste something to search for.",
            "max_length": f"This is too long. {ONLY_ONE}",
            "null_characters_not_allowed": f"This contains a null character. {ONLY_ONE}",
        },
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
    project: Project | None = None
    hits: list[dict[str, str]] = []
    named: list[dict[str, str]] = []
    limited: list[dict[str, str]] = []
    says: list[str] = []
    if form.is_valid():
        what, project = parse(form.cleaned_data["q"]), form.cleaned_data["project"]
        rows = list(_rows(what, project)) if what.value else []
        found = [row for row in rows if _may_open(request, row)]
        note_list(request, "find", len(found))
        if len(found) == 1:
            _warn(request, what, found[0])
            return HttpResponseRedirect(page_of(found[0]))
        hits = _hits([row for row in found if isinstance(row, Student)])
        named = [_name(row) for row in found if isinstance(row, Partner | Project)]
        says = [] if hits or named else [NOT_YOURS] if rows else not_found(what, project)
        if what.kind is Kind.REQUEST_ID and says:
            over = RefusedCall.objects.over_a_limit()[:LIMITED_AT_MOST]
            limited = [_limited(call) for call in over if _may_open(request, call)]
        typed = (what.value or form.cleaned_data["q"]) if what.may_repeat else ""
        form = FindForm(initial={"q": typed, "project": project})
    elif form.is_bound:
        # The text may be a secret, so only the errors go back to the browser.
        form.data = QueryDict()
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": "Find a student, link, token or project",
        "form": form,
        "project": project,
        "hits": hits,
        "named": named,
        "limited": limited,
        "at_most": LISTED_AT_MOST,
        "says": says,
    }
    template = "admin/assessments/assessmentlink/find.html"
    headers = {"Cache-Control": "no-store"}
    return TemplateResponse(request, template, context, headers=headers)


def _rows(what: SearchInput, project: Project | None) -> Iterable[models.Model]:
    """Return the matching rows. Students, partners and projects can be several.

    Within a project, students are found by a part of their name too. All but names are found by an
    index; partners and projects are few.
    """
    match what.kind:
        case Kind.NAME:
            if project is None:
                return _named(what.value)
            students = Student.objects.filter(project=project, name__icontains=what.value)
            return students.select_related("project__partner").order_by("-pk")[:LISTED_AT_MOST]
        case Kind.EMAIL | Kind.MOBILE:
            students = Student.objects.known_by(what.value).select_related("project__partner")
            return students.order_by("-pk")[:LISTED_AT_MOST]
        case Kind.LINK:
            link = AssessmentLink.objects.of_link_token(what.value)
            return [link] if link else []
        case Kind.LINK_NUMBER:
            return AssessmentLink.objects.filter(pk=int(what.value))
        case Kind.LINK_ID:
            return AssessmentLink.objects.filter(link_id=what.value)
        case Kind.ASSESSMENT_ID:
            return Assessment.objects.filter(assessment_id=what.value)
        case Kind.TOKEN_ID | Kind.SECRET:
            return AccessToken.objects.filter(token_id=what.value)
        case Kind.REQUEST_ID:
            # Retries may share an id: the page of the newest names the others.
            calls = RefusedCall.objects.filter(request_id=what.value).order_by("-at", "-pk")[:1]
            return calls or _named(what.value)  # a name may look like an id
        case Kind.PROJECT_ID:
            return Project.objects.filter(project_id=what.value)
    return []


def _named(text: str) -> list[models.Model]:
    """Return partners, then projects, with a part of this name; a partner with all its projects."""
    partners = Partner.objects.filter(name__icontains=text).order_by("name")[:LISTED_AT_MOST]
    return [*partners, *Project.objects.search(text)[:LISTED_AT_MOST]]


def _may_open(request: HttpRequest, row: models.Model) -> bool:
    return admin.site.get_model_admin(type(row)).has_view_permission(request, row)


def _warn(request: HttpRequest, what: SearchInput, row: models.Model) -> None:
    """Warn about a pasted secret or a wrong address, without repeating the text."""
    if what.kind is Kind.SECRET:
        messages.error(
            request, f"{LEAKED} This is its token: rotate it, and let the old one end at once."
        )
    if not isinstance(row, AssessmentLink) or what.kind is not Kind.LINK:
        return
    if what.project_id and what.project_id != row.project.project_id:
        messages.warning(
            request,
            "The pasted address names a different project from the link's own, "
            f"{row.project.project_id}. It opens a page that says “not found”.",
        )
    elif what.base and what.base.lower() != settings.APP_URL.lower():
        messages.warning(
            request,
            f"The pasted address does not begin with {settings.APP_URL}, as ours do. If this is "
            "the address that the student received, it leads to another site.",
        )


def _hits(students: Sequence[Student]) -> list[dict[str, str]]:
    """Return the results for students: one address can belong to several projects."""
    at = timezone.now()
    links = AssessmentLink.objects.of_students(students).newest_of_each().with_attempts()
    newest = {link.student_id: link for link in links.with_newest_of_attempt()}
    hits = []
    for student in students:
        link = newest.get(student.pk)
        state, since = "no link", student.created_at
        if link:
            link.student = student
            state, since = f"link #{link.pk}: {link.state_in_words(at)}", link.issued_at
        hits.append(
            {
                "url": page_of(student),
                "email": student.email,
                "name": student.name,
                "project": f"{student.project.name}, {student.project.partner.name}",
                "state": state,
                "when": moment_in_words(since, student.project.time_zone, at),
            }
        )
    return hits


def _name(row: Partner | Project) -> dict[str, str]:
    if isinstance(row, Partner):
        says = "partner"
    else:
        says = f"project of {row.partner.name}{', closed' if row.is_closed else ''}"
    return {"url": page_of(row), "name": row.name, "says": says}


def _limited(call: RefusedCall) -> dict[str, str]:
    when = moment_in_words(call.at, call.project.time_zone)
    calls = "1 call" if call.count == 1 else f"{call.count} calls"
    return {
        "url": page_of(call),
        "name": call.project.name_in_lists,
        "says": f"{calls} of {call.operation} over the limit, in the minute of {when}",
    }


def not_found(what: SearchInput, project: Project | None = None) -> list[str]:
    """Return how the text was understood, and what to try."""
    if what.kind is Kind.SECRET:
        return [
            LEAKED,
            "The text has no TokenId that we know. Ask for the TokenId, which begins with tok_, "
            "and search for that.",
        ]
    if what.kind is Kind.CUT_LINK:
        has = f"the part after “token=” has {what.length} of {LINK_TOKEN_LENGTH} characters"
        return [
            f"This looks like an assessment link, but it is incomplete: {has}.",
            "It opens a page that says “not found”. Ask for the complete link, copied and not "
            "typed, or search for the student's e-mail address.",
        ]
    if what.kind is Kind.NAME and project:
        return [
            f"No student of {project.name} has this in their name.",
            f"Try another spelling, or a part of it. Or ask for one of these: {ONE_OF_THESE}.",
        ]
    if what.kind is Kind.NAME:
        return [
            "No partner and no project has this in its name. Students are found by name within a "
            "project only: open its students.",
            f"Ask the student or the partner for one of these: {ONE_OF_THESE}.",
        ]
    if what.kind is Kind.NOTHING:
        return [
            "You cannot search for this.",
            f"Ask the student or the partner for one of these: {ONE_OF_THESE}.",
        ]
    if not what.value:
        return [
            f"This looks like {what.kind.value}, but it is incomplete.",
            WHOLE.get(what.kind, f"Ask for one of these: {ONE_OF_THESE}."),
        ]
    return [f"This is {what.kind.value}. {UNKNOWN[what.kind][0]}", UNKNOWN[what.kind][1]]
