"""One field takes whatever was sent to the support desk; what may be a key is not shown again."""

from __future__ import annotations

import pytest

from assessments.support.search_input import Kind, parse

KEY = "aB3-_" * 8 + "xyz"
PROJECT = "prj_0123456789abcdef"
LINK = f"https://assess.example.com/{PROJECT}/assessment?token={KEY}"
CALL = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
WRAPPED = (
    "https://eur03.safelinks.protection.outlook.com/?url=https%3A%2F%2Fassess.example.com%2F"
    f"{PROJECT}%2Fassessment%3Ftoken%3D{KEY}&data=05%7C02%7C&reserved=0"
)


@pytest.mark.parametrize(
    "text",
    [
        LINK,
        f"“{LINK}”,",
        LINK[:60] + "\r\n " + LINK[60:],
        LINK.replace("token=", "token=3D"),
        LINK.replace("https://assess.example.com", "http://elsewhere.test:8000"),
        f"Your link: {LINK} Good luck!",
        WRAPPED,
        f"token={KEY}",
        KEY,
    ],
)
def test_a_link_is_read_however_it_was_pasted(text: str) -> None:
    what = parse(text)

    assert (what.kind, what.value) == (Kind.LINK, KEY)
    assert not what.may_repeat


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Asha.Rao@Example.COM", Kind.EMAIL, "asha.rao@example.com"),
        ("Asha Rao <asha@example.com>", Kind.EMAIL, "asha@example.com"),
        ("mailto:asha@example.com?subject=x", Kind.EMAIL, "asha@example.com"),
        ("asha@", Kind.EMAIL, ""),
        ("98765 43210", Kind.MOBILE, "+919876543210"),
        ("+91 (98765) 43210", Kind.MOBILE, "+919876543210"),
        ("tel:+919876543210", Kind.MOBILE, "+919876543210"),
        ("९८७६५ ४३२१०", Kind.MOBILE, "+919876543210"),
        ("link #12", Kind.LINK_NUMBER, "12"),
        ("lnk_0123456789abcdef", Kind.LINK_ID, "lnk_0123456789abcdef"),
        ("X-Link-Id: lnk_0123456789abcdef", Kind.LINK_ID, "lnk_0123456789abcdef"),
        ("lnk_01234", Kind.LINK_ID, ""),
        ("asm_0123456789abcdef", Kind.ASSESSMENT_ID, "asm_0123456789abcdef"),
        ('"AssessmentId": "asm_0123456789abcdef",', Kind.ASSESSMENT_ID, "asm_0123456789abcdef"),
        ("asm_01234", Kind.ASSESSMENT_ID, ""),
        ("tok_0123456789abcdef", Kind.TOKEN_ID, "tok_0123456789abcdef"),
        (PROJECT, Kind.PROJECT_ID, PROJECT),
        ("5f0c2b9e7d1a4c3f8e6b0a9d2c4e6f81", Kind.REQUEST_ID, "5f0c2b9e7d1a4c3f8e6b0a9d2c4e6f81"),
        (CALL, Kind.REQUEST_ID, CALL),
        (f"X-Request-ID: {CALL}", Kind.REQUEST_ID, CALL),
        (
            f'{{"type": "https://assess.example.com/docs/#not_found", "requestId": "{CALL}"}}',
            Kind.REQUEST_ID,
            CALL,
        ),
        ("crm.2026-0017", Kind.REQUEST_ID, "crm.2026-0017"),
        ("Asha Rao", Kind.NAME, "Asha Rao"),
        ("x", Kind.NOTHING, ""),
        ("", Kind.NOTHING, ""),
    ],
)
def test_what_is_typed_is_understood(text: str, kind: Kind, value: str) -> None:
    what = parse(text)

    assert (what.kind, what.value) == (kind, value)


def test_a_pasted_secret_is_known_as_one_with_its_token() -> None:
    secret = "sec_" + "x" * 49

    assert parse(secret).kind is Kind.SECRET
    for text in (
        f"tok_0123456789abcdef:{secret}",
        f"X-Access-Token: tok_0123456789abcdef:{secret}",
    ):
        what = parse(text)
        assert (what.kind, what.value) == (Kind.SECRET, "tok_0123456789abcdef")
        assert not what.may_repeat
