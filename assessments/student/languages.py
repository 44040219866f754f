"""Choose the language of a page: the attempt's, else that of the address or the browser.

No cookie stores it. Before the start it is in the address, afterwards in the attempt's row.
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
# Pages for staff and partners, which are not translated.
ENGLISH_ONLY = {"admin", "docs", "openapi.json", "partner"}


def offered(bank_languages: Collection[str]) -> list[tuple[str, str]]:
    """Return (code, name) of the languages in which both the pages and a bank exist."""
    return [(code, name) for code, name in settings.LANGUAGES if code in bank_languages]


def choice(
    bank_languages: Collection[str], address: str, **parameters: str
) -> list[dict[str, str]]:
    """Return the offered languages, each with the address of the page in that language."""
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
    """Return the language that an address or a form asks for; "" if it is not supported."""
    named = values.get("language", "")
    return named if named in dict(settings.LANGUAGES) else ""


def follow_form(request: HttpRequest) -> None:
    """Activate the language of the submitted form for the rest of this request."""
    if language := asked_for(request.POST):
        translation.activate(language)


def of_attempt(attempt: Assessment) -> str:
    """Return the language of an attempt, or English if it is no longer offered."""
    return best(attempt.cached_bank.languages, attempt.language)


def of_request(request: HttpRequest) -> str:
    """Return the language for a page without an attempt."""
    if request.path_info.strip("/").partition("/")[0] in ENGLISH_ONLY:
        return ENGLISH
    # Django would prefer this cookie to the browser's setting. We never set it, but another
    # application on the same domain may.
    request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
    try:
        named = asked_for(request.GET)
    except SuspiciousOperation:  # too many parameters: refused by the code that needs them
        named = ""
    return named or translation.get_language_from_request(request)
