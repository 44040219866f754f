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

MALFORMED = "The X-Access-Token header is not <TokenId>:<TokenSecret> as issued."
# What to say of a malformed header, by pattern. The first that is found counts. The sender may have
# put the secret anywhere, so no part of the header is repeated.
_NO_VALUE = "(?:undefined|null|None|NaN|nil)?"
_SEEN = {
    r"tok_.*tok_|sec_.*sec_": "It was sent twice, for example by a client and a proxy.",
    r"%(?:3A|20|22|27)": "It is encoded as in an address: send the colon as a colon.",
    r"[$<>{}]|%[A-Z_]+%|^your ": "It holds the name of a variable that was not filled in.",
    f"^{_NO_VALUE}:{_NO_VALUE}$": "It has no values: the two variables are not set.",
    f"^{_NO_VALUE}:": "It has no TokenId: the variable is not set.",
    f":{_NO_VALUE}$": "It has no TokenSecret: the variable is not set.",
    r"[\"'`]": "It holds quotation marks: send it without.",
    r"^[A-Za-z-]+:? ": "It begins with a word such as Bearer: send the two alone.",
    r"^sec_": "It begins with the TokenSecret: the TokenId comes first.",
    r"[*]|\.\.": "It holds asterisks or dots: copy it from where it is shown whole.",
    r"\s": "It holds a space or a line break.",
    r"^[^:]*$": "It has no colon between TokenId and TokenSecret.",
    r":.*:": "It has more than one colon.",
    r"^(?!tok_)": "It does not begin with tok_, as every TokenId does.",
    rf"^(?!{TOKEN_ID.pattern}:)": "The TokenId is not tok_ or tok_test_ and 16 characters.",
    r":(?!sec_)": "What follows the colon does not begin with sec_, as every TokenSecret does.",
}


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
    """Return TokenId and TokenSecret. Raise ValueError, which says why, if it is malformed."""
    token_id, _, secret = value.partition(":")
    is_whole = TOKEN_ID.fullmatch(token_id) and SECRET.fullmatch(secret)
    if not (is_whole and has_valid_checksum(secret)):
        raise ValueError(f"{MALFORMED} {_seen(value)}")
    return token_id, secret


def _seen(header: str) -> str:
    """Return a sentence about a malformed header that holds no part of it."""
    for pattern, sentence in _SEEN.items():
        if re.search(pattern, header, re.DOTALL):
            return sentence
    found, whole = len(header.partition(":")[2]), len("sec_") + SECRET_LENGTH + CHECKSUM_LENGTH
    if found != whole:
        return f"The TokenSecret has {found} characters and not {whole}: copy it again."
    return "A character of the TokenSecret is wrong, or a letter's case: copy it again."


def _checksum(text: str) -> str:
    return in_base_62(zlib.crc32(text.encode()), CHECKSUM_LENGTH)
