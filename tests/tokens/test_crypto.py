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
MALFORMED = [
    *("", ":", TOKEN_ID, SECRET, f"{TOKEN_ID}:", f":{SECRET}", f"{TOKEN_ID}::{SECRET}"),
    *(f"{TOKEN_ID}:{SECRET}:{SECRET}", f"{TOKEN_ID}:{SECRET} ", f"{TOKEN_ID}:{SECRET}\n"),
    *(f'"{TOKEN_ID}:{SECRET}"', f"Bearer {TOKEN_ID}:{SECRET}", f"{TOKEN_ID}:{SECRET}\0"),
    *(f"{TOKEN_ID[:-1]}ſ:{SECRET}", f"{TOKEN_ID[:-1]}١:{SECRET}", f"{TOKEN_ID}:{SECRET[:-1]}é"),
    f"{TOKEN_ID}:{SECRET[:-1]}{'1' if SECRET[-1] == '0' else '0'}",  # a wrong checksum
    *(f"{TOKEN_ID}:{SECRET}x", "x" * 8192, f"{TOKEN_ID}:{SECRET}" * 100),
]


@pytest.mark.parametrize("header", MALFORMED)
def test_a_header_of_another_shape_is_refused(header):
    with pytest.raises(ValueError, match="not <TokenId>:<TokenSecret>"):
        crypto.split_header(header)


def test_a_header_is_split_at_the_colon():
    assert crypto.split_header(f"{TOKEN_ID}:{SECRET}") == (TOKEN_ID, SECRET)
