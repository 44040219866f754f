"""Who is who: e-mail addresses, mobile numbers and names, by one rule on both databases."""

import hypothesis
import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.models import Student, identity
from tests.assessments.attempts import marked_completed, started
from tests.assessments.partner import RESULTS

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
    *("a@", "a@localhost", "a@[127.0.0.1]", "a@127.0.0.1", "a@x..com", "a@-x.com", "a@x_y.com"),
    *(".a@x.com", "a b@x.com", '"a b"@x.com', "a@b@x.com", "a@x.com,b@x.com", "Asha <a@x.com>"),
    *("mi\u017fe@x.co", "\u0430sha@x.co", "a@x.\uff43\uff4f\uff4d", "a@x\u3002com"),
    "a@\u0301.example",  # a lone combining mark
    *("a@\U0001f4a9.example", "a@x\u200b.com", "a\u0000@x.com", "a@x.com\nBcc: b@x.com"),
    f"a@{'x' * 64}.com",
]
DISTINCT = ["a@x.com", "a+b@x.com", "a.a@x.com", "aa@x.com", "a@x.co", "a@y.x.com"]


@pytest.mark.parametrize(("address", "key"), ACCEPTED)
def test_the_key_of_an_address(address, key):
    assert identity.email_key(address) == key


def test_plus_tags_and_dots_make_another_student():
    assert len(set(map(identity.email_key, DISTINCT))) == len(DISTINCT)


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_no_address(address):
    with pytest.raises(ValueError, match=r".+"):
        identity.email_key(address)


def test_the_length_counts_in_ascii_too():
    """254 characters as given, but longer once the domain is ASCII."""
    domain = ".".join(["ü" * 20] * 9) + ".example"
    address = f"{'a' * (254 - len(domain) - 1)}@{domain}"
    assert len(address) <= 254

    with pytest.raises(ValueError, match="too long"):
        identity.email_key(address)


@pytest.mark.slow
@hypothesis.settings(deadline=None)
@given(st.text(max_size=40) | st.emails())
def test_any_text_has_a_key_or_none(text):
    try:
        key = identity.email_key(text)
    except ValueError:
        return

    assert key.isascii()
    assert key == key.lower()
    assert identity.email_key(key) == key
    assert key.count("@") == 1


NORMAL_MOBILES = [
    ("+91 98765 43210", "+919876543210"),
    ("9876543210", "+919876543210"),
    ("(080) 1234 5678", "+918012345678"),
    ("+1 (202) 555-0143", "+12025550143"),
    ("123456", "+91123456"),
    ("00000000000000000000", "00000000000000000000"),
    ("+999 123456789", "+999 123456789"),
]


@pytest.mark.parametrize(("written", "normal"), NORMAL_MOBILES)
def test_a_mobile_number_is_stored_as_e164_if_it_can_be(written, normal):
    assert identity.is_mobile(written)
    assert identity.normal_mobile(written) == normal


@pytest.mark.parametrize(
    "text",
    [
        *("12345", "1" * 21, "98765x43210", "९८७६५४३२१०", "98765\u00a043210", "98765.43210"),
        *("987654\n3210", "+91;9876543", "      +     ()"),
    ],
)
def test_what_is_no_mobile_number(text):
    assert not identity.is_mobile(text)


@given(
    st.sampled_from(["", "+91", "+91 ", "+91-"]),
    st.from_regex(r"[6-9][0-9]{4}", fullmatch=True),
    st.sampled_from(["", " ", "-"]),
    st.from_regex(r"[0-9]{5}", fullmatch=True),
)
def test_an_indian_mobile_read_at_once_is_what_phonenumbers_makes_of_it(
    country, head, between, tail
):
    text = country + head + between + tail
    number = phonenumbers.parse(text, identity.DEFAULT_REGION)
    assert phonenumbers.is_possible_number(number)

    normal = identity.normal_mobile(text)

    assert normal == phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Asha Rao", "Asha"),
        ("आशा राव", "आशा"),
        ("Asha\u00a0Rao", "Asha"),
        ("Asha  Padmini Rao", "Asha"),
        ("Asha", "Asha"),
        ("a" * 200, "a" * 200),
        ("S. Karthik", "Karthik"),
        ("M Karthik", "Karthik"),
        ("A.P.J. Abdul Kalam", "Abdul"),
        ("Karthik S.", "Karthik"),
        ("Md. Irfan", "Irfan"),
        ("Dr Asha", "Asha"),
        ("SMT. Dr. K. Asha Rao", "Asha"),
        ("Rao, Asha", "Rao"),
        ("O'Neil Mary-Jane", "O'Neil"),
        ("डॉ. आशा राव", "आशा"),
        ("श्री के. राव", "राव"),
        ("क्\u200dष राव", "क्\u200dष"),
        *((name, "") for name in ["", "S. K.", "Md.", "Dr", "K", "श्री", "..", "\U0001f600"]),
    ],
)
def test_the_name_to_greet_with_is_neither_initial_nor_title(name, given):
    assert identity.given_name(name) == given


@pytest.mark.sqlite
@pytest.mark.parametrize("address", ["  Asha.Rao@Example.Co.In  ", "a@bücher.example"])
def test_results_are_found_by_any_spelling(bank, project, api, address):
    attempt = marked_completed(started(project, email=address.strip()))
    key = identity.email_key(address)

    for spelling in (address, address.upper() if address.isascii() else address, key):
        [record] = api.read(RESULTS, email=spelling)
        assert record["AssessmentId"] == attempt.assessment_id
    assert Student.objects.get().email_key == key
