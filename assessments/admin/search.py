"""One field that takes whatever a student or a partner has sent, and leads to the answer.

What is typed is sent by POST and stands in no address. A link, or a part of one, is a key: it is
hashed before it is looked up, and shown again nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.admin.audited_views import FINDS, note_list
from assessments.admin.link_summary import moments
from assessments.admin.readonly import page_of
from assessments.models import Assessment, AssessmentLink, Student
from assessments.support.search_input import LINK_TOKEN_LENGTH, TEXT_READ, Kind, Sought, understand
from partners.models import Project
from tokens.models import AccessToken

LISTED_AT_MOST = 50
NOT_YOURS = "What you look for exists, but your role may not open its page."
LEAKED = (
    "What you pasted holds a TokenSecret, a key to a project. Whoever sent it to you has leaked it."
)
ONE_OF_THESE = (
    "the e-mail address or mobile number that the partner has of the student, the whole link, an "
    "AssessmentId (asm_…), a TokenId (tok_…) or a projectId (prj_…)"
)
ONLY_ONE = "Paste the link, the address or the number alone, without what stood around it."
SIXTEEN = "16 letters and digits follow, capitals and small letters as they are."
WHOLE = {
    Kind.EMAIL: "It has a name, an @ and a domain with a dot: asha@example.com.",
    Kind.ASSESSMENT_ID: f"An AssessmentId begins with asm_; {SIXTEEN}",
    Kind.TOKEN_ID: f"A TokenId begins with tok_; {SIXTEEN}",
    Kind.PROJECT_ID: f"A projectId begins with prj_; {SIXTEEN}",
}
NO_STUDENT = "Nobody is known by it, in any project."
ASK_THE_PARTNER = (
    "Ask the partner which address they sent with the call that made the link: students often use "
    "another one. Somebody whose data were erased is not found either."
)
# What is said of something whole that is not there: that, and what to try.
UNKNOWN = {
    Kind.EMAIL: (NO_STUDENT, ASK_THE_PARTNER),
    Kind.MOBILE: (
        "Nobody has it as the newest number, in any project.",
        "Look for the e-mail address: results are kept under that. A number from abroad needs its "
        "country code.",
    ),
    Kind.LINK: (
        "No link of ours has this key.",
        "Compare its first and last letters with the message, or look for the student's e-mail "
        "address. Links are deleted some weeks after they expire unused.",
    ),
    Kind.LINK_NUMBER: ("There is no link of this number.", "Look for the e-mail address."),
    Kind.ASSESSMENT_ID: (
        "There is no such attempt.",
        "Copy it from the partner's records rather than type it: capitals count. Attempts are "
        "deleted when the project's time is over.",
    ),
    Kind.TOKEN_ID: (
        "There is no such token.",
        "Copy it rather than type it: capitals count. The project's page lists its tokens.",
    ),
    Kind.PROJECT_ID: (
        "There is no such project.",
        "Copy it rather than type it: capitals count. The list of projects finds one by its name.",
    ),
}


class FindForm(forms.Form):
    q = forms.CharField(
        label="What you have",
        max_length=TEXT_READ,
        strip=True,
        widget=forms.TextInput(
            attrs={"size": 60, "autocomplete": "off", "spellcheck": "false", "autofocus": True}
        ),
        help_text="E-mail address, mobile number, the link that the student was sent, "
        "AssessmentId, TokenId or projectId.",
        error_messages={
            "required": "Type or paste something to look for.",
            "max_length": f"This is too long. {ONLY_ONE}",
            "null_characters_not_allowed": f"This holds a character that no text has. {ONLY_ONE}",
        },
    )


@dataclass(frozen=True)
class Hit:
    """A row of the list of what was found."""

    url: str
    email: str
    name: str
    project: str
    state: str
    when: str


@sensitive_variables()
def find(model_admin: admin.ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Look for what was typed: lead to the one page, list the several, or say what to try."""
    if not request.user.has_perm(FINDS):
        raise PermissionDenied
    form = FindForm(request.POST or None)
    hits: list[Hit] = []
    says: list[str] = []
    if form.is_valid():
        what = understand(form.cleaned_data["q"])
        rows = list(_rows(what)) if what.value else []
        found = [row for row in rows if _may_open(request, row)]
        note_list(request, "find", len(found))
        if len(found) == 1:
            _remark(request, what, found[0])
            return HttpResponseRedirect(page_of(found[0]))
        hits = _hits([row for row in found if isinstance(row, Student)])
        says = [] if hits else [NOT_YOURS] if rows else not_found(what)
        form = FindForm(initial={"q": what.value if what.may_repeat else ""})
    elif form.is_bound:
        # It may be a key: its errors stay, what was pasted is not sent back.
        form.data = QueryDict()
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": "Find a student or a link",
        "form": form,
        "hits": hits,
        "at_most": LISTED_AT_MOST,
        "says": says,
    }
    template = "admin/assessments/assessmentlink/find.html"
    headers = {"Cache-Control": "no-store"}
    return TemplateResponse(request, template, context, headers=headers)


def _rows(what: Sought) -> Iterable[models.Model]:
    """Return the rows that are looked for, each by an index. Several are always students."""
    match what.kind:
        case Kind.EMAIL | Kind.MOBILE:
            students = Student.objects.known_by(what.value).select_related("project__partner")
            return students.order_by("-pk")[:LISTED_AT_MOST]
        case Kind.LINK:
            link = AssessmentLink.objects.of_link_token(what.value)
            return [link] if link else []
        case Kind.LINK_NUMBER:
            return _one(AssessmentLink, pk=int(what.value))
        case Kind.ASSESSMENT_ID:
            return _one(Assessment, assessment_id=what.value)
        case Kind.TOKEN_ID | Kind.SECRET:
            return _one(AccessToken, token_id=what.value)
        case Kind.PROJECT_ID:
            return _one(Project, project_id=what.value)
    return []


def _one(model: type[models.Model], **named: Any) -> list[models.Model]:
    try:
        return [model._default_manager.get(**named)]
    except ObjectDoesNotExist:
        return []


def _may_open(request: HttpRequest, row: models.Model) -> bool:
    return admin.site.get_model_admin(type(row)).has_view_permission(request, row)


def _remark(request: HttpRequest, what: Sought, row: models.Model) -> None:
    """Say beside the page what was wrong with what was pasted, without repeating it."""
    if what.kind is Kind.SECRET:
        messages.error(request, f"{LEAKED} This is its token: rotate it without an overlap.")
    if not isinstance(row, AssessmentLink) or what.kind is not Kind.LINK:
        return
    if what.project_id and what.project_id != row.project.project_id:
        messages.warning(
            request,
            "The address that you pasted names another project than the link's own, "
            f"{row.project.project_id}. Whoever opens it reads that it can't be found.",
        )
    elif what.base and what.base.lower() != settings.APP_URL.lower():
        messages.warning(
            request,
            f"The address that you pasted does not begin with {settings.APP_URL}, as ours do. If "
            "the student was sent it like that, it leads elsewhere.",
        )


def _hits(students: Sequence[Student]) -> list[Hit]:
    """Return what a list says of students: one address is known in many projects."""
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
        project = f"{student.project.name}, {student.project.partner.name}"
        when = moments(student, at)(since)
        hits.append(Hit(page_of(student), student.email, student.name, project, state, when))
    return hits


def not_found(what: Sought) -> list[str]:
    """Return in plain words what was understood, and what to try."""
    if what.kind is Kind.SECRET:
        return [
            LEAKED,
            "No token is known by what stood beside it. Ask for the TokenId, which begins with "
            "tok_, and look for that.",
        ]
    if what.kind is Kind.CUT_LINK:
        has = f"the part after “token=” has {what.length} of {LINK_TOKEN_LENGTH} characters"
        return [
            f"This looks like an assessment link, but it is cut off: {has}.",
            "Whoever opens it so reads that it can't be found. Ask for the whole link, copied "
            "and not typed, or look for the student's e-mail address.",
        ]
    if what.kind is Kind.NOTHING:
        return [
            "This is none of what can be looked for. Names are not: many people share one.",
            f"Ask the student or the partner for one of these: {ONE_OF_THESE}.",
        ]
    if not what.value:
        return [
            f"This looks like {what.kind.value}, but it is not a whole one.",
            WHOLE.get(what.kind, f"Ask for one of these: {ONE_OF_THESE}."),
        ]
    return [f"This was read as {what.kind.value}. {UNKNOWN[what.kind][0]}", UNKNOWN[what.kind][1]]
