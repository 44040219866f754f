"""Choose the language of a page by an open attempt, the address or the browser, not by a cookie."""

from collections.abc import Collection
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, QueryDict
from django.utils import translation

from assessments.models.attempts import Attempt

ENGLISH = "en"
# Pages for staff and partners, which are not translated.
ENGLISH_ONLY = {"admin", "docs", "openapi.json", "partner"}


def offered(bank_languages: Collection[str]) -> list[tuple[str, str]]:
    """Return (code, name) of the languages of both pages and bank."""
    return [(code, name) for code, name in settings.LANGUAGES if code in bank_languages]


def choice(
    request: HttpRequest, bank_languages: Collection[str], **parameters: str
) -> list[dict[str, str]]:
    """Return the languages with this page's address in each. `parameters` replace its query."""
    if is_english_only(request):
        return []
    query = {name: [value] for name, value in parameters.items()} or dict(query_of(request).lists())
    return [
        {"code": code, "name": name, "url": f"?{urlencode(query | {'language': code}, doseq=True)}"}
        for code, name in offered(bank_languages)
    ]


def best(bank_languages: Collection[str], *wanted: str | None) -> str:
    """Return the first wanted language that is offered, else English."""
    codes = [code for code, _name in offered(bank_languages)]
    return next((code for code in wanted if code in codes), ENGLISH)


def asked_for(values: QueryDict) -> str:
    """Return the language that an address or a form asks for; "" if we do not have it."""
    named = values.get("language", "")
    return named if named in dict(settings.LANGUAGES) else ""


def follow_form(request: HttpRequest) -> None:
    if language := asked_for(request.POST):
        translation.activate(language)


def of_attempt(attempt: Attempt, *wanted: str) -> str:
    """Return the first wanted language that the bank has, else the attempt's own, else English."""
    return best(attempt.cached_bank.languages, *wanted, attempt.language)


def of_form(request: HttpRequest, attempt: Attempt) -> str:
    return of_attempt(attempt, asked_for(request.POST))


def query_of(request: HttpRequest) -> QueryDict:
    """Return the parameters of the address; none if they are too many: views refuse these."""
    try:
        return request.GET
    except SuspiciousOperation:
        return QueryDict()


def is_english_only(request: HttpRequest) -> bool:
    return request.path_info.strip("/").partition("/")[0] in ENGLISH_ONLY


def of_request(request: HttpRequest) -> str:
    """Return the language for a page without an attempt."""
    if is_english_only(request):
        return ENGLISH
    # Django would prefer this cookie to the browser's setting. We never set it, but another
    # application on the same domain may.
    request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
    return asked_for(query_of(request)) or translation.get_language_from_request(request)
