"""Make, check and compare credentials. Pure functions."""

import hashlib
import hmac
import re
import zlib

from partners.public_ids import in_base_62, new_public_id, random_characters

# 43 of 62 characters are 256.03 random bits.
SECRET_LENGTH = 43
# 62 ** 6 is more than 2 ** 32, so every CRC-32 fits.
CHECKSUM_LENGTH = 6

TOKEN_ID = re.compile(r"tok_(?:test_)?[0-9A-Za-z]{16}")
NEW_TOKEN_ID = re.compile(r"^tok_[0-9A-Za-z]{16}\Z")  # before its project is known
SECRET = re.compile(rf"sec_[0-9A-Za-z]{{{SECRET_LENGTH + CHECKSUM_LENGTH}}}")


def new_token_id() -> str:
    return new_public_id("tok")


def for_test_project(token_id: str) -> str:
    """Return the TokenId of a test project: tok_x becomes tok_test_x, which stays as it is."""
    return "tok_test_" + token_id.removeprefix("tok_").removeprefix("test_")


def new_secret() -> str:
    """Return 256 random bits and a checksum of them."""
    body = "sec_" + random_characters(SECRET_LENGTH)
    return body + _checksum(body)


def has_valid_checksum(secret: str) -> bool:
    """Return whether `secret` was copied whole. It may still not be a secret that we issued."""
    body, checksum = secret[:-CHECKSUM_LENGTH], secret[-CHECKSUM_LENGTH:]
    return _checksum(body) == checksum


def digest(secret: str) -> str:
    """Return the SHA-256 to store. For 256 random bits, a salted or slow hash adds only delay."""
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(secret: str, secret_digest: str) -> bool:
    """Return, in constant time, whether `secret` has this digest."""
    # compare_digest accepts non-ASCII only as bytes.
    return hmac.compare_digest(digest(secret).encode(), secret_digest.encode())


def split_header(value: str) -> tuple[str, str]:
    """Return TokenId and TokenSecret. Raise ValueError if malformed, or not copied whole."""
    token_id, _, secret = value.partition(":")
    is_whole = TOKEN_ID.fullmatch(token_id) and SECRET.fullmatch(secret)
    if not (is_whole and has_valid_checksum(secret)):
        raise ValueError("not <TokenId>:<TokenSecret>")
    return token_id, secret


def _checksum(text: str) -> str:
    return in_base_62(zlib.crc32(text.encode()), CHECKSUM_LENGTH)
