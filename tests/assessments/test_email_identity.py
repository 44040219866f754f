"""Who is who by e-mail: one rule in Python, the same on both databases."""

from __future__ import annotations

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments import identity
from assessments.models import ItemBank, Student
from partners.models import Project
from tests.assessments.attempts import marked_completed, started
from tests.assessments.partner import Backend, assert_problem

LONG_LOCAL = "a" * 64

ACCEPTED = [
    ("A@X.com", "a@x.com"),
    ("  a@x.com  ", "a@x.com"),
    ("Asha.Rao@Example.Co.In", "asha.rao@example.co.in"),
    ("A+B@x.com", "a+b@x.com"),
    ("o'neil@x.ie", "o'neil@x.ie"),
    ("a@bücher.example", "a@xn--bcher-kva.example"),
    ("a@bu\u0308cher.example", "a@xn--bcher-kva.example"),
    ("a@XN--BCHER-KVA.example", "a@xn--bcher-kva.example"),
    ("a@उदाहरण.भारत", "a@xn--p1b6ci4b4b3a.xn--h2brj9c"),
    ("a@stra\u00dfe.de", "a@xn--strae-oqa.de"),
    (f"{LONG_LOCAL}@x.com", f"{LONG_LOCAL}@x.com"),
]
REFUSED = [
    "a@",
    "a@localhost",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@x..com",
    "a@-x.com",
    "a@x_y.com",
    ".a@x.com",
    "a b@x.com",
    '"a b"@x.com',
    "a@b@x.com",
    "a@x.com,b@x.com",
    "Asha <a@x.com>",
    "mi\u017fe@x.co",
    "\u0430sha@x.co",
    "a@x.\uff43\uff4f\uff4d",
    "a@x\u3002com",
    "a@\u0301.example",  # a lone combining mark
    "a@\U0001f4a9.example",
    "a@x\u200b.com",
    "a\u0000@x.com",
    "a@x.com\nBcc: b@x.com",
    f"a@{'x' * 64}.com",
]
DISTINCT = ["a@x.com", "a+b@x.com", "a.a@x.com", "aa@x.com", "a@x.co", "a@y.x.com", "b@x.com"]


@pytest.mark.parametrize(("address", "key"), ACCEPTED)
def test_the_key_of_an_address(address: str, key: str) -> None:
    assert identity.email_key(address) == key


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        identity.email_key(address)


def test_the_length_counts_in_ascii_too() -> None:
    """254 characters as given, but longer once the domain is ASCII."""
    domain = ".".join(["ü" * 20] * 9) + ".example"
    address = f"{'a' * (254 - len(domain) - 1)}@{domain}"
    assert len(address) <= 254

    with pytest.raises(ValueError, match="too long"):
        identity.email_key(address)


@pytest.mark.slow
@hypothesis.settings(deadline=None)
@given(st.text(max_size=40) | st.emails())
def test_any_text_has_a_key_or_none(text: str) -> None:
    try:
        key = identity.email_key(text)
    except ValueError:
        return

    assert key.isascii()
    assert key == key.lower()
    assert identity.email_key(key) == key
    assert key.count("@") == 1


@pytest.mark.parametrize("address", ["  Asha.Rao@Example.Co.In  ", "a@bücher.example"])
def test_results_are_found_by_any_spelling(
    bank: ItemBank, project: Project, api: Backend, address: str
) -> None:
    """A14: asked for as given, in upper case, and by the key."""
    attempt = marked_completed(started(project, email=address.strip()))
    key = identity.email_key(address)

    for spelling in (address, address.upper() if address.isascii() else address, key):
        (record,) = api.results(email=spelling).json()
        assert record["AssessmentId"] == attempt.assessment_id
    assert Student.objects.get().email_key == key


@pytest.mark.parametrize("address", ["a@", "a\u0000@x.com"])
def test_both_operations_refuse_what_is_no_address(api: Backend, address: str) -> None:
    for response in (api.link(email=address), api.results(email=address)):
        if "\0" in address:
            assert_problem(response, 400, "invalid_request")
        else:
            assert_problem(response, 400, "invalid_request", [("email", "invalid")])
    assert not Student.objects.exists()


def test_addresses_that_differ_are_different_students(
    bank: ItemBank, project: Project, api: Backend
) -> None:
    ids = {
        address: marked_completed(started(project, email=address)).assessment_id
        for address in DISTINCT[:-1]
    }

    found = {address: api.results(email=address).json() for address in DISTINCT}

    assert found.pop("b@x.com") == []
    seen = {address: [r["AssessmentId"] for r in records] for address, records in found.items()}
    assert seen == {address: [assessment_id] for address, assessment_id in ids.items()}
