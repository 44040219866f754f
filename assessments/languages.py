"""Which language a page is in: an attempt's own, else what the address or the browser asks for.

No cookie remembers it. Before the start it is in the address, afterwards in the attempt's row.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, QueryDict
from django.utils import translation

from assessments.models.attempts import Assessment

ENGLISH = "en"
# Staff and partners read these; nothing of them is translated.
ENGLISH_ONLY = {"admin", "docs", "openapi.json", "partner"}


def offered(bank_languages: Collection[str]) -> list[tuple[str, str]]:
    """Return the languages, each with its own name, that the pages and a bank both have."""
    return [(code, name) for code, name in settings.LANGUAGES if code in bank_languages]


def choice(
    bank_languages: Collection[str], address: str, **parameters: str
) -> list[dict[str, str]]:
    """Return the languages that are offered, each with the address of a page in it."""
    return [
        {
            "code": code,
            "name": name,
            "url": f"{address}?{urlencode(parameters | {'language': code})}",
        }
        for code, name in offered(bank_languages)
    ]


def best(bank_languages: Collection[str], *wanted: str | None) -> str:
    """Return the first of the wanted languages that is offered; English if none is."""
    codes = [code for code, _name in offered(bank_languages)]
    return next((code for code in wanted if code in codes), ENGLISH)


def asked_for(values: QueryDict) -> str:
    """Return the language that an address or a form names; "" if it is none of ours."""
    named = values.get("language", "")
    return named if named in dict(settings.LANGUAGES) else ""


def follow_form(request: HttpRequest) -> None:
    """Speak the language of the form that was sent, for the rest of this request."""
    if language := asked_for(request.POST):
        translation.activate(language)


def of_attempt(attempt: Assessment) -> str:
    """Return an attempt's own language; English where that one is not offered any more."""
    return best(attempt.content.languages, attempt.language)


def of_request(request: HttpRequest) -> str:
    """Return the language for a page that no attempt belongs to."""
    if request.path_info.strip("/").partition("/")[0] in ENGLISH_ONLY:
        return ENGLISH
    # Django would believe this cookie before the browser's own setting. We never set it: a
    # neighbour on the same domain may.
    request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
    try:
        named = asked_for(request.GET)
    except SuspiciousOperation:  # more parameters than Django reads: whoever needs them refuses
        named = ""
    return named or translation.get_language_from_request(request)
