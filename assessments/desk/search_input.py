"""Parse the text that support types or pastes into the search field. Pure functions.

The text may be a secret, a link or a part of one. A page repeats it only if `may_repeat` is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from urllib.parse import unquote

from assessments.models import identity

LINK_TOKEN_LENGTH = 43
# As our own ids of calls, and most of the partners'.
UUID = r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
SHORTEST_NAME = 2
# Longer than any redirect-url, even one wrapped by a mail scanner.
MAX_LENGTH = 4_000


class Kind(Enum):
    EMAIL = "an e-mail address"
    MOBILE = "a mobile number"
    LINK = "an assessment link"
    CUT_LINK = "a part of an assessment link"
    LINK_NUMBER = "the number of a link"
    LINK_ID = "a LinkId"
    ASSESSMENT_ID = "an AssessmentId"
    TOKEN_ID = "a TokenId"  # noqa: S105  # a name for people, no secret
    PROJECT_ID = "a projectId"
    REQUEST_ID = "a requestId"
    NAME = "a name"
    SECRET = "a TokenSecret"  # noqa: S105  # a name for people, no secret
    NOTHING = "nothing that can be searched for"


SECRETS = {Kind.LINK, Kind.CUT_LINK, Kind.SECRET}
_PUBLIC_IDS = {
    "lnk": Kind.LINK_ID,
    "asm": Kind.ASSESSMENT_ID,
    "tok": Kind.TOKEN_ID,
    "prj": Kind.PROJECT_ID,
}


@dataclass(frozen=True)
class SearchInput:
    """Parsed search text: its kind, and its value as stored ("" if the text is incomplete).

    `length` is that of the token of a link that was cut.
    """

    kind: Kind
    value: str = ""
    length: int = 0

    @property
    def may_repeat(self) -> bool:
        return self.kind not in SECRETS


def parse(text: str) -> SearchInput:
    """Return the search for a text; its kind is Kind.NOTHING if the text is not recognised."""
    text = _bare(text[:MAX_LENGTH])
    if re.search(r"sec_[A-Za-z0-9_-]{8}", text):
        token_id = re.search(r"tok_(?:test_)?[A-Za-z0-9]{16}", text)
        return SearchInput(Kind.SECRET, token_id[0] if token_id else "")
    # Before the links, because an error body holds an address too.
    if named := re.search(r"request-?id[\"':=\s]+([A-Za-z0-9._-]{8,64})\b", text, re.I):
        return SearchInput(Kind.REQUEST_ID, named[1])
    if re.search(r"token(=|%)|://|/assessment|\bassessment\?", text, re.I):
        return _link(text)
    if "@" in text:
        return _email(text)
    if number := re.fullmatch(r"(?:link\s*)?#\s*([0-9]{1,18})", text, re.I):
        return SearchInput(Kind.LINK_NUMBER, number[1])
    if public := re.search(r"\b(lnk|asm|tok(?:_test)?|prj)_([A-Za-z0-9]{16}\b)?", text):
        kind = _PUBLIC_IDS[public[1].removesuffix("_test")]
        return SearchInput(kind, public[0] if public[2] else "")
    if re.fullmatch(UUID, text, re.I):
        return SearchInput(Kind.REQUEST_ID, text)
    if mobile := _mobile(text):
        return SearchInput(Kind.MOBILE, mobile)
    if re.fullmatch(r"[A-Za-z0-9_-]{20,}", text):
        return _of_token(text)
    # A partner's own id of a call. A name has no digit.
    if re.fullmatch(r"(?=.*[0-9])[A-Za-z0-9._-]{8,64}", text):
        return SearchInput(Kind.REQUEST_ID, text)
    # Of a partner or project. It may be a student's too, so no page repeats it.
    if SHORTEST_NAME <= len(text) <= identity.NAME_MAX and any(map(str.isalpha, text)):
        return SearchInput(Kind.NAME, text)
    return SearchInput(Kind.NOTHING)


def _bare(text: str) -> str:
    """Strip the quotes, brackets and invisible characters around text copied from a message."""
    text = text.translate(dict.fromkeys(map(ord, identity.MARKS)))
    return text.strip(" \t\r\n\"'`<>[]{},;“”‘’«»").rstrip(".:!?।")


def _link(text: str) -> SearchInput:
    """Parse a redirect-url: complete or cut, wrapped by a mail scanner, or split over lines."""
    address = re.sub(r"\s+", "", text)
    for _ in range(3):
        address = unquote(address)
    given = re.search(r"token=([A-Za-z0-9_-]*)", address, re.I)
    token = given[1] if given else ""
    # Quoted-printable e-mail source writes = as =3D.
    if token.startswith("3D") and len(token) >= LINK_TOKEN_LENGTH + 2:
        token = token[2:]
    return _of_token(token)


def _of_token(token: str) -> SearchInput:
    if len(token) < LINK_TOKEN_LENGTH:
        return SearchInput(Kind.CUT_LINK, length=len(token))
    return SearchInput(Kind.LINK, token[:LINK_TOKEN_LENGTH])


def _email(text: str) -> SearchInput:
    """Parse an address as people paste it: mailto:asha@…, or Asha Rao <asha@…."""
    text = text.strip("().").removeprefix("mailto:").partition("?")[0]
    given = re.search(r"<?([^\s<>]+@[^\s<>]+)$", text)
    try:
        return SearchInput(Kind.EMAIL, identity.email_key(given[1] if given else text))
    except ValueError:
        return SearchInput(Kind.EMAIL)


def _mobile(text: str) -> str:
    try:
        return identity.read_contact(text.removeprefix("tel:").replace("/", "-"))
    except ValueError:
        return ""
