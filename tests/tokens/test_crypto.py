"""The shape of credentials, their checksum and digest, and what is no X-Access-Token."""

import hashlib
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partners.public_ids import ALPHABET
from tokens import crypto


def test_a_token_id_and_a_secret_of_256_random_bits_have_their_shape():
    secret = crypto.new_secret()

    assert re.fullmatch(r"tok_[A-Za-z0-9]{16}", crypto.new_token_id())
    assert re.fullmatch(r"sec_[A-Za-z0-9]{43}[A-Za-z0-9]{6}", secret)
    assert crypto.has_valid_checksum(secret)
    assert math.log2(len(ALPHABET)) * crypto.SECRET_LENGTH >= 256


def test_the_checksum_of_a_known_secret():
    # It never changes: secrets that partners hold depend on it.
    assert crypto.has_valid_checksum("sec_" + "0" * 43 + "028SX6")


@given(st.integers(0, 52), st.sampled_from(ALPHABET))
def test_one_wrong_character_is_noticed(position, character):
    secret = crypto.new_secret()
    changed = secret[:position] + character + secret[position + 1 :]

    assert crypto.has_valid_checksum(changed) is (changed == secret)


def test_a_digest_is_the_sha_256_and_matches_its_secret_only():
    secret = crypto.new_secret()

    stored = crypto.digest(secret)

    assert stored == hashlib.sha256(secret.encode()).hexdigest()
    assert crypto.matches(secret, stored)
    for other in (crypto.new_secret(), "", "ſ", "\0", "é" * 100, "x" * 8192):
        assert not crypto.matches(other, stored)


BODY = "sec_" + "b" * crypto.SECRET_LENGTH
TOKEN_ID, SECRET = "tok_" + "a" * 16, BODY + crypto._checksum(BODY)
# Others are below.
MALFORMED = [
    *("", f"{TOKEN_ID}:{SECRET} ", f"{TOKEN_ID}:{SECRET}\0"),
    *(f"{TOKEN_ID[:-1]}ſ:{SECRET}", f"{TOKEN_ID[:-1]}١:{SECRET}", f"{TOKEN_ID}:{SECRET[:-1]}é"),
    f"{TOKEN_ID}:{SECRET[:-1]}{'1' if SECRET[-1] == '0' else '0'}",  # a wrong checksum
    *(f"{TOKEN_ID}:{SECRET}x", "x" * 8192, f"{TOKEN_ID}:{SECRET}" * 100),
]


@pytest.mark.parametrize("header", MALFORMED)
def test_a_header_of_another_shape_is_refused(header):
    with pytest.raises(ValueError, match="not <TokenId>:<TokenSecret>"):
        crypto.split_header(header)


WHOLE = f"{TOKEN_ID}:{SECRET}"
SEEN = {
    "sent twice": [f"{WHOLE},{WHOLE}", f"{WHOLE}, {WHOLE}", f"{WHOLE}:{SECRET}"],
    "quotation marks": [f'"{WHOLE}"', f"'{TOKEN_ID}':'{SECRET}'", f"`{WHOLE}`"],
    "such as Bearer": [
        f"Bearer {WHOLE}",
        f"Token {WHOLE}",
        "Basic dG9r",
        f"X-Access-Token: {WHOLE}",
    ],
    "TokenId comes first": [f"{SECRET}:{TOKEN_ID}", SECRET],
    "encoded": [f"{TOKEN_ID}%3A{SECRET}", f"%22{WHOLE}%22"],
    "variable that was not filled in": [
        *("$TOKEN_ID:$TOKEN_SECRET", "${TOKEN_ID}:${TOKEN_SECRET}", "%TOKEN_ID%:%TOKEN_SECRET%"),
        *("{{id}}:{{secret}}", "<TokenId>:<TokenSecret>", f"{TOKEN_ID}:$TOKEN_SECRET"),
        "your TokenId:your TokenSecret",
    ],
    "no values": ["undefined:undefined", "null:null", "None:None", ":"],
    "no TokenId": [f":{SECRET}", f"undefined:{SECRET}"],
    "no TokenSecret": [f"{TOKEN_ID}:", f"{TOKEN_ID}:null"],
    "asterisks": [f"{TOKEN_ID}:sec_****", f"{TOKEN_ID}:sec_bb...bb"],
    "a space": [f"{TOKEN_ID}: {SECRET}", f"{WHOLE}\n", f"{TOKEN_ID} {SECRET}"],
    "no colon": [TOKEN_ID, TOKEN_ID + SECRET],
    "more than one colon": [f"{TOKEN_ID}::{SECRET}"],
    "begin with tok_": [f"{TOKEN_ID[4:]}:{SECRET}", "TokenId:TokenSecret"],
    "16 characters": [f"{TOKEN_ID[:-1]}:{SECRET}", f"tok_test_aaaaa:{SECRET}"],
    "begin with sec_": [f"{TOKEN_ID}:{SECRET[4:]}"],
    "52 characters and not 53": [WHOLE[:-1]],
    "character of the TokenSecret": [f"{TOKEN_ID}:{SECRET.lower()}", f"{WHOLE[:-1]}é"],
}


@pytest.mark.parametrize(
    ("seen", "header"), [(seen, header) for seen in SEEN for header in SEEN[seen]]
)
def test_a_malformed_header_is_described_without_a_part_of_it(seen, header):
    with pytest.raises(ValueError, match="not <TokenId>") as refused:
        crypto.split_header(header)

    said = str(refused.value).removeprefix(crypto.MALFORMED)
    assert seen in said
    assert "aaa" not in said
    assert "bbb" not in said


def test_a_header_is_split_at_the_colon():
    assert crypto.split_header(f"{TOKEN_ID}:{SECRET}") == (TOKEN_ID, SECRET)
