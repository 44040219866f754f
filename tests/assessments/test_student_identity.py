"""Who is who: e-mail addresses, mobile numbers and names, by one rule on both databases."""

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.models import Student, identity
from tests.assessments.attempts import marked_completed, started
from tests.assessments.partner import RESULTS

LONG_LOCAL = "a" * 64
# White space and invisible marks that copying puts around a text.
AROUND = ["\t", "\r\n", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u200e", "\u202a", "\u2069"]

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
    *((address, address) for address in ("a@x.test", "a@x.example", "a@x.photography")),
    *((f"{mark}a@x.com{mark}", "a@x.com") for mark in AROUND),
]
REFUSED = [
    *(f"{'a' * 65}@x.com", "a@host.localhost", "a@x.invalid", "a@x.onion", "a@x.co1", "a@x.c-m"),
    *("a@x.c", "a@xn--a.com", "a@xn--99999999.com", "a\u00add@x.com", "a@x\u00ad.com"),
    "a@x.\u200bcom",
    *("a@", "a@localhost", "a@[127.0.0.1]", "a@127.0.0.1", "a@x..com", "a@-x.com", "a@x_y.com"),
    *(".a@x.com", "a b@x.com", '"a b"@x.com', "a@b@x.com", "a@x.com,b@x.com", "Asha <a@x.com>"),
    *("mi\u017fe@x.co", "\u0430sha@x.co", "a@x.\uff43\uff4f\uff4d", "a@x\u3002com"),
    "a@\u0301.example",  # a lone combining mark
    *("a@\U0001f4a9.example", "a@x\u200b.com", "a\u0000@x.com", "a@x.com\nBcc: b@x.com"),
    f"a@{'x' * 64}.com",
]


@pytest.mark.parametrize(("address", "key"), ACCEPTED)
def test_the_key_of_an_address(address, key):
    assert identity.email_key(address) == key


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


OF_SCRIPTS = [
    "".join(chr(zero + int(digit)) for digit in "9876543210")
    for zero in (0x660, 0x966, 0x9E6, 0xD66, 0xFF10)
]
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
    assert identity.normal_mobile(identity.read_mobile(written)) == normal


@pytest.mark.parametrize(
    "text",
    [
        *("12345", "1" * 21, "98765x43210", "987654\n3210", "+91;9876543", "      +     ()"),
        *("\U0001d7d79876543210", "98765\u200b43210", "987654321²", "९" * 21),
    ],
)
def test_what_is_no_mobile_number(text):
    with pytest.raises(ValueError, match="not a mobile number"):
        identity.read_mobile(text)


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("98765\u00a043210", "98765 43210"),
        ("+91\u201098765\u201343210", "+91-98765-43210"),
        ("98765.43210", "98765-43210"),
        (f"\uff0b\uff19\uff11 {OF_SCRIPTS[-1]}", "+91 9876543210"),
        *((digits, "9876543210") for digits in OF_SCRIPTS),
        *((f"{mark}9876543210{mark}", "9876543210") for mark in AROUND),
    ],
)
def test_a_number_is_read_as_the_digits_that_it_has(written, stored):
    assert identity.read_mobile(written) == stored


OF_SPREADSHEETS = {
    "+919876512347": [
        *("9876512347.0", "9876512347.00", "9876512347.000000", "9876512347.", "9876512347-"),
        *("9876512347.0.", "9876512347 .0", "98765 12347.0", "+919876512347.0", "919876512347.0"),
        *("+91-9876512347.0", "09876512347.0", "९८७६५१२३४७.०", "9876512347\u2013", "9.876.512.347"),
        "\uff19876512347\uff0e\uff10",
    ],
    # Zeros that belong to the number.
    "+12025550000": ["+1.202.555.0000", "+1 202.555.0000"],
    "+919876500000": ["98765.00000", "98765-00000"],
    "+33123456700": ["+33.1.23.45.67.00"],
    "": [
        *("9.87651E+09", "9,87651e+09", "9.876512347E9", "9.876512347E+9", "-141884", "-1.5"),
        *("\u2212141884", "9876512347.5", "9876512347.10", "1.0", "12345.", "12345-", ".0", "0.0"),
        *("9,876,512,347", "9876512347,0", "'9876512347", '="9876512347"', "nan", "None", "#REF!"),
    ],
}


@pytest.mark.parametrize(
    ("written", "number"),
    [(each, number) for number, several in OF_SPREADSHEETS.items() for each in several],
)
def test_a_number_that_a_spreadsheet_wrote_is_read_alike_or_refused(written, number):
    try:
        read = identity.normal_mobile(identity.read_mobile(written))
    except ValueError:
        read = ""

    assert read == number


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        *((f"{mark}Asha Rao{mark}", "Asha Rao") for mark in AROUND),
        *((f"As{mark}ha", "Asha") for mark in "\u200b\u2060\ufeff\xad"),
        # Assigned, or a letter, in some versions of Python only.
        *((it, it) for it in ["Asha \U0001fae8", "\U00031350", "\U0001e4d0\U0001e4d1", "\u0cf3a"]),
        *((name, name) for name in ["क्\u200dष", "O'Neil", "\U0001f469\u200d\U0001f680", "\u0378"]),
        ("\U00020000\U000e0100", "\U00020000\U000e0100"),  # a variant of a Chinese character
        *((name, name) for name in ["Asha Null", "Null", "Nan", "None Rao", "{Asha}", "Asha $"]),
    ],
)
def test_a_name_is_stored_without_what_copying_added(written, stored):
    assert identity.read_name(written) == stored


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "\u200b", "\u200d", "\u0301", "\u3164", "\u00a0\u3000"),
        *(
            f"A{each}b"
            for each in "\x00\x07\n\t\x7f\x85\u2028\u2029\u061c\u200e\u202e\u2066\u2061\u180e\ufff9"
            "\ud800\udfff\ue000\uf8ff\U000f0000\U0010fffd\ufdd0\ufffe\uffff\U0001ffff\U0010ffff\U000e0041"
        ),
    ],
)
def test_what_is_no_name(name):
    with pytest.raises(ValueError, match="not a name"):
        identity.read_name(name)


# What mail and SMS systems, template languages and forgotten f-strings leave.
PLACEHOLDERS = [
    *("{{name}}", "{{ contact.first_name }}", "{{1}}", "{{", "}}", "${name}", "${", "#{name}"),
    *("{#var#}", "{% name %}", "<%= name %>", "<% name %>", "*|FNAME|*", "[[name]]", "%NAME%"),
    *("%First Name%", "%%firstname%%", "##NAME##", "@@name@@", "<name>", "<First Name>", "{name}"),
    *("{first_name}", "[Name]", "[first-name]", "[E-mail]", "{student.email}", "{mobile}", "$NAME"),
    *("$first_name", "<reference>"),
]
NO_VALUES = ["undefined", "null", "None", "NaN"]


@pytest.mark.parametrize(
    "name",
    [
        *PLACEHOLDERS,
        *(f"Asha {each}" for each in PLACEHOLDERS),
        *NO_VALUES,
        *("[object Object]", " null\u200b", "undefined undefined", "None None"),
    ],
)
def test_a_template_that_was_not_filled_in_is_no_name(name):
    with pytest.raises(ValueError, match=identity.TEMPLATE):
        identity.read_name(name)


@pytest.mark.parametrize("text", [*PLACEHOLDERS, *(f"{each}@x.com" for each in PLACEHOLDERS)])
def test_a_template_that_was_not_filled_in_is_no_address(text):
    with pytest.raises(ValueError, match=identity.TEMPLATE):
        identity.read_email(text)


@pytest.mark.parametrize("text", [*PLACEHOLDERS, *NO_VALUES])
def test_a_template_that_was_not_filled_in_is_no_reference(text):
    assert not identity.REFERENCE.fullmatch(text)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        *((identity.read_name, name) for name in ("Asha <asha@x.com>", "Asha [10%]", "A$AP Rao")),
        *((identity.read_name, name) for name in ("5% and 10% Rao", "Asha (Name)", "#1 Asha")),
        *((identity.read_name, name) for name in ("Emailia", "Nameera [Roll 7]", "Asha @ Home")),
        *((identity.read_email, text) for text in ("a%b@x.com", "$a@x.com", "name@x.com")),
        *((identity.read_email, text) for text in ("null@x.com", "a##b@x.com", "{a}@x.com")),
        *((identity.read_email, text) for text in ("a|b*c@x.com", "undefined.rao@x.com")),
    ],
)
def test_what_only_resembles_a_placeholder_is_taken(read, text):
    assert read(text) == text


@pytest.mark.parametrize("text", ["null-7", "None.1", "undefined:2", "NULL", "name", "nan"])
def test_a_reference_that_only_resembles_an_empty_word_is_taken(text):
    assert identity.REFERENCE.fullmatch(text)


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
        ("Asha  Padmini Rao", "Asha"),
        ("Asha", "Asha"),
        ("a" * 200, "a" * 200),
        ("S. Karthik", "Karthik"),
        ("A.P.J. Abdul Kalam", "Abdul"),
        ("Karthik S.", "Karthik"),
        ("Md. Irfan", "Irfan"),
        ("SMT. Dr. K. Asha Rao", "Asha"),
        ("Rao, Asha", "Rao"),
        ("O'Neil Mary-Jane", "O'Neil"),
        ("डॉ. आशा राव", "आशा"),
        ("श्री के. राव", "राव"),
        ("क्\u200dष राव", "क्\u200dष"),
        ("\U0001e4d0\U0001e4d1 Rao", "\U0001e4d0\U0001e4d1"),
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
