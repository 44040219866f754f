"""Search by anything that a student or partner may send: address, number, link or identifier.

The text may hold a secret, so it is posted, and a page repeats it only if `may_repeat`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any
from urllib.parse import unquote

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.decorators import permission_required
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from assessments.desk.audited_admin import VIEW_LINK, diagnosis_of, note_list, student_of
from assessments.models import AssessmentLink, Attempt, RefusedCall, Student, identity
from assessments.models.link_history import of_link
from partners.back_office.pages import admin_page, page_of
from partners.models import Partner, Project
from tokens.models import AccessToken

MAX_LIMITED_CALLS = 5
MAX_RESULTS = 50
# Our request ids, and most of the partners', are UUIDs.
UUID = r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
SHORTEST_NAME = 2
BETWEEN_WORDS = "-\\s.,'`´‘’ʼ"  # in a character class of PostgreSQL and Python
# Longer than any redirect-url, even one wrapped by a mail scanner, and than a list of addresses.
MAX_LENGTH = 4_000


class SearchKind(Enum):
    EMAIL = "an e-mail address"
    MOBILE = "a mobile number"
    LINK = "an assessment link"
    LINK_NUMBER = "the number of a link"
    LINK_ID = "a LinkId"
    ASSESSMENT_ID = "an AssessmentId"
    TOKEN_ID = "a TokenId"  # noqa: S105  # a name for people, no secret
    PROJECT_ID = "a projectId"
    REQUEST_ID = "a requestId"
    NAME = "a name"
    SECRET = "a TokenSecret"  # noqa: S105  # a name for people, no secret
    NOTHING = "nothing that can be searched for"


_PUBLIC_IDS = {
    "lnk": SearchKind.LINK_ID,
    "asm": SearchKind.ASSESSMENT_ID,
    "tok": SearchKind.TOKEN_ID,
    "prj": SearchKind.PROJECT_ID,
}


@dataclass(frozen=True)
class SearchInput:
    """Parsed search text: its kind, and its value as stored ("" if the text is incomplete)."""

    kind: SearchKind
    value: str = ""
    is_complete: bool = True  # False: the value is the incomplete text, of one among several

    @property
    def may_repeat(self) -> bool:
        return self.kind not in {SearchKind.LINK, SearchKind.SECRET}


# Of these, a text may have several; of other kinds, one.
SEVERAL = {SearchKind.EMAIL, SearchKind.LINK, SearchKind.LINK_ID, SearchKind.ASSESSMENT_ID}
UNIQUE_COLUMNS: dict[SearchKind, tuple[type[models.Model], str]] = {
    SearchKind.LINK_NUMBER: (AssessmentLink, "pk"),
    SearchKind.LINK_ID: (AssessmentLink, "link_id"),
    SearchKind.ASSESSMENT_ID: (Attempt, "assessment_id"),
    SearchKind.TOKEN_ID: (AccessToken, "token_id"),
    SearchKind.SECRET: (AccessToken, "token_id"),
    SearchKind.PROJECT_ID: (Project, "project_id"),
}


class FindForm(forms.Form):
    q = forms.CharField(
        label="Search for",
        # No `max_length`: with its attribute, a browser cuts a long text off and says nothing.
        validators=[MaxLengthValidator(MAX_LENGTH)],
        widget=forms.TextInput(
            attrs={"size": 60, "autocomplete": "off", "spellcheck": "false", "autofocus": True}
        ),
        help_text="E-mail address, mobile number, the link that the student was sent, "
        "LinkId, AssessmentId, TokenId, projectId, the requestId of a refused call, or the name of "
        "a partner or project. Several addresses, links or ids are listed one by one.",
    )
    project = forms.ModelChoiceField(
        Project.objects.all(), required=False, widget=forms.HiddenInput
    )


@permission_required(VIEW_LINK, raise_exception=True)
@sensitive_post_parameters("q")
@sensitive_variables()
def search(request: HttpRequest) -> HttpResponse:
    form = FindForm(request.POST or None)
    context: dict[str, Any] = {}
    if form.is_valid():
        searched, project = parse(form.cleaned_data["q"]), form.cleaned_data["project"]
        if several := parse_several(form.cleaned_data["q"]):
            return _page(request, several_context(request, several))
        matching = list(_matching_rows(searched, project)) if searched.value else []
        rows = [row for row in matching if _may_open(request, row)]
        note_list(request, "find", len(rows))
        if len(rows) == 1:
            if searched.kind is SearchKind.SECRET:
                messages.error(
                    request,
                    "The text contains a TokenSecret, a key to a project. It leaked when it was "
                    "sent to you. This is its token: rotate it, and let the old one end at once.",
                )
            return HttpResponseRedirect(page_of(rows[0]))
        over = RefusedCall.objects.over_a_limit()
        limited = over[:MAX_LIMITED_CALLS] if searched.kind is SearchKind.REQUEST_ID else ()
        context = {
            "searched": searched,
            "project": project,
            "results": _results(rows),
            "max_results": MAX_RESULTS,
            "is_hidden": bool(matching),
            "limited": _results([call for call in limited if _may_open(request, call)]),
        }
        typed = (searched.value or form.cleaned_data["q"]) if searched.may_repeat else ""
        form = FindForm(initial={"q": typed, "project": project})
    elif form.is_bound:
        # The text may be a secret, so only the errors go back to the browser.
        form.data = QueryDict()
    return _page(request, {**context, "form": form})


@sensitive_variables("context")
def _page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    template = "admin/assessments/assessmentlink/find.html"
    title = "Find a student, link, token or project"
    return admin_page(request, template, title, opts=AssessmentLink._meta, **context)


@sensitive_variables()
def several_context(request: HttpRequest, several: Sequence[SearchInput]) -> dict[str, Any]:
    """Return a row for each student that was found, and for each text that finds none."""
    at, rows, count = timezone.now(), [], 0
    for number, searched in enumerate(several[:MAX_RESULTS], 1):
        name = searched.value if searched.may_repeat else f"link {number} of your text"
        matching: list[Any] = list(_matching_rows(searched, None)) if searched.is_complete else []
        rows += [] if matching else [{"name": name, "searched": searched}]
        for row in matching:
            if not _may_open(request, row):
                rows.append({"name": name, "searched": searched, "is_hidden": True})
                continue
            count += 1
            link = admin.site.get_model_admin(type(row)).link_of(row)  # type: ignore[attr-defined]  # AuditedAdmin's
            diagnosis = diagnosis_of(student_of(row), of_link(link, at) if link else None)
            rows.append({"name": name, "url": page_of(row), **diagnosis})
    note_list(request, "find", count)
    may_repeat = several[0].may_repeat
    typed = ", ".join(each.value for each in several) if may_repeat else ""
    return {
        "several": rows,
        "left_out": len(several[MAX_RESULTS:]),
        "form": FindForm(initial={"q": typed}),
    }


def _matching_rows(searched: SearchInput, project: Project | None) -> Iterable[models.Model]:
    if searched.kind in UNIQUE_COLUMNS:
        model, column = UNIQUE_COLUMNS[searched.kind]
        return model._default_manager.filter(**{column: searched.value})
    if searched.kind is SearchKind.LINK:
        return AssessmentLink.objects.filter(token_digest=identity.secret_digest(searched.value))
    if searched.kind is SearchKind.REQUEST_ID:
        # Retries may share an id: the page of the newest names the others.
        calls = RefusedCall.objects.filter(request_id=searched.value).order_by("-at", "-pk")[:1]
        return calls or _partners_and_projects(searched.value)  # a name may look like an id
    if searched.kind is SearchKind.NAME and project is None:
        return _partners_and_projects(searched.value)
    if searched.kind is SearchKind.NAME:
        students = Student.objects.filter(_has_words(searched.value), project=project)
    else:
        students = Student.objects.known_by(searched.value)
    return students.select_related("project__partner").order_by("-pk")[:MAX_RESULTS]


def _has_words(text: str) -> Q:
    """Match names that have all words of a text in any order, or parts of them.

    A single letter has to begin a word. So Rao Asha and Asha R find Asha Rao, and O'Brien is found
    with any apostrophe.
    """
    words = filter(None, re.split(f"[{BETWEEN_WORDS}]+", text))
    return Q(
        *(
            Q(name__icontains=word)
            if len(word) > 1
            else Q(name__iregex=f"(^|[{BETWEEN_WORDS}]){re.escape(word)}")
            for word in words
        )
    )


def _partners_and_projects(text: str) -> list[models.Model]:
    # Without an index: partners and projects are few.
    partners = Partner.objects.filter(name__icontains=text).order_by("name")[:MAX_RESULTS]
    projects = Project.objects.filter(Q(name__icontains=text) | Q(partner__name__icontains=text))
    return [*partners, *projects.select_related("partner").order_by("name", "pk")[:MAX_RESULTS]]


def _may_open(request: HttpRequest, row: models.Model) -> bool:
    return admin.site.get_model_admin(type(row)).has_view_permission(request, row)


def _results(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return what the template shows of each row; of a student, also the newest link."""
    students = [row for row in rows if isinstance(row, Student)]
    links = AssessmentLink.objects.filter(student__in=students).newest_of_each().with_attempts()
    newest = {link.student_id: link for link in links.select_related("student__project")}
    return [
        {
            "kind": row._meta.model_name,
            "url": page_of(row),
            "row": row,
            "newest": newest.get(row.pk) if isinstance(row, Student) else None,
        }
        for row in rows
    ]


def parse(text: str) -> SearchInput:
    text = _strip(text[:MAX_LENGTH])
    if re.search(r"sec_[A-Za-z0-9_-]{8}", text):
        token_id = re.search(r"tok_(?:test_)?[A-Za-z0-9]{16}", text)
        return SearchInput(SearchKind.SECRET, token_id[0] if token_id else "")
    # Before the links, because an error body has an address too.
    if request_id := re.search(r"request-?id[\"':=\s]+([A-Za-z0-9._-]{8,64})\b", text, re.I):
        return SearchInput(SearchKind.REQUEST_ID, request_id[1])
    if re.search(r"token(=|%)|://|/assessment|\bassessment\?", text, re.I):
        return _parse_link(text)
    if "@" in text:
        return _parse_email(text)
    if number := re.fullmatch(r"(?:link\s*)?#\s*([0-9]{1,18})", text, re.I):
        return SearchInput(SearchKind.LINK_NUMBER, number[1])
    if public_id := re.search(r"\b(lnk|asm|tok(?:_test)?|prj)_([A-Za-z0-9]{16}\b)?", text):
        kind = _PUBLIC_IDS[public_id[1].removesuffix("_test")]
        return SearchInput(kind, public_id[0] if public_id[2] else "")
    if re.fullmatch(UUID, text, re.I):
        return SearchInput(SearchKind.REQUEST_ID, text)
    if mobile := _parse_mobile(text):
        return SearchInput(SearchKind.MOBILE, mobile)
    if re.fullmatch(r"[A-Za-z0-9_-]{20,}", text):
        return _parse_token(text)
    # A partner's own request id. A name has no digit.
    if re.fullmatch(r"(?=.*[0-9])[A-Za-z0-9._-]{8,64}", text):
        return SearchInput(SearchKind.REQUEST_ID, text)
    if SHORTEST_NAME <= len(text) <= identity.NAME_MAX and any(map(str.isalpha, text)):
        return SearchInput(SearchKind.NAME, text)
    return SearchInput(SearchKind.NOTHING)


def parse_several(text: str) -> list[SearchInput]:
    """Parse the addresses, links or ids of a text that has more than one of a kind; else []."""
    kind, several = parse(text).kind, dict[str, SearchInput]()
    for piece in re.split(r"[\s,;<>]+", text) if kind in SEVERAL else ():
        searched = parse(piece)
        if searched.kind is kind and searched.value:
            several.setdefault(searched.value, searched)
        elif kind is SearchKind.EMAIL and re.fullmatch("[^@]+@[^@]+", piece):
            several.setdefault(piece, SearchInput(kind, piece, is_complete=False))
    return list(several.values()) if len(several) > 1 else []


def _strip(text: str) -> str:
    """Strip the quotes, brackets and invisible characters around text copied from a message."""
    text = text.translate(dict.fromkeys(map(ord, identity.MARKS)))
    return text.strip(" \t\r\n\"'`<>[]{},;“”‘’«»").rstrip(".:!?।")


def _parse_link(text: str) -> SearchInput:
    """Parse a redirect-url: complete or cut, wrapped by a mail scanner, or split over lines."""
    address = re.sub(r"\s+", "", text)
    for _ in range(3):
        address = unquote(address)
    parameter = re.search(r"token=([A-Za-z0-9_-]*)", address, re.I)
    token = parameter[1] if parameter else ""
    # Quoted-printable e-mail source writes = as =3D.
    if token.startswith("3D") and len(token) >= identity.URL_SECRET_LENGTH + 2:
        token = token[2:]
    return _parse_token(token)


def _parse_token(token: str) -> SearchInput:
    is_cut = len(token) < identity.URL_SECRET_LENGTH
    return SearchInput(SearchKind.LINK, "" if is_cut else token[: identity.URL_SECRET_LENGTH])


def _parse_email(text: str) -> SearchInput:
    """Parse an address as people paste it: mailto:asha@…, or Asha Rao <asha@…."""
    text = text.strip("().").removeprefix("mailto:").partition("?")[0]
    address = re.search(r"<?([^\s<>]+@[^\s<>]+)$", text)
    try:
        return SearchInput(SearchKind.EMAIL, identity.email_key(address[1] if address else text))
    except ValueError:
        return SearchInput(SearchKind.EMAIL)


def _parse_mobile(text: str) -> str:
    try:
        number = identity.read_mobile(text.removeprefix("tel:").replace("/", "-"))
    except ValueError:
        return ""
    return identity.normal_mobile(number)
