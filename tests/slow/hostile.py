"""Values that nobody should send, made by Hypothesis, and how they are sent.

They are nearly right, since nonsense is refused at the first look, or have crashed services before.
Each is sent through Django's client; its rows are taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import hypothesis
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

SEED = 20261121
# What a browser can send: of a surrogate pair both halves or none.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NASTY = [
    *("", " ", "\0", "a\0b", "%00", "\r\nX-Access-Token: x", "\u202e\u2066"),
    *("\u017f\u212a\u0131\u0130", "\ufeff", "\U0001f600" * 20, "e\u0301" * 50, "०१२", "１"),
    *("-1", "0x1", "1e999", "NaN", "9" * 5000, "a" * 5000, "null", "true", "[]", "{}"),
    *("' OR 1=1 --", "<script>alert(1)</script>", "{{ 7 * 7 }}", "%(id)s %n {0}"),
    *("../../etc/passwd", "=1+1"),
]
VALUE = st.sampled_from(NASTY) | TEXT
# JSON can say what a browser cannot send: half of a surrogate pair, and no string at all.
JSON_VALUE = VALUE | st.text(max_size=40) | st.none() | st.integers() | st.floats() | st.booleans()
# In a form, also what is no UTF-8.
FORM_VALUE = VALUE | st.binary(max_size=20)


@dataclass(frozen=True, repr=False)
class Target:
    """A place for values: how they are sent there, and what may come back."""

    values: st.SearchStrategy[Any]
    send: Callable[[Any], HttpResponse]
    allowed: set[int]
    check: Callable[[HttpResponse], None] | None = None  # raises AssertionError

    def try_out(self, examples):
        """Send that many values, and return how many were sent.

        Raise AssertionError, with the value, if one was answered as none may be.
        """
        sent = 0

        @hypothesis.seed(SEED)
        @hypothesis.settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(self.values)
        def each(value):
            nonlocal sent
            with transaction.atomic():
                response = self.send(value)
                sent += 1
                said = f"{response.status_code} to {value!r:.300}"
                assert response.status_code in self.allowed, said
                if self.check:
                    self.check(response)
                transaction.set_rollback(True)

        each()
        return sent


def nearly(text):
    """Return texts that are this one but for a place: something there is lost, added or other."""

    def changed(place, length, instead):
        return text[:place] + instead + text[place + length :]

    return st.builds(changed, st.integers(0, len(text)), st.integers(0, 3), VALUE).filter(
        lambda made: made != text
    )


def form(good, always):
    """Return forms, encoded: each good field as it is, missing, changed or several times.

    Half of the fields stay as they are, so that a form with one fault is read to its end; `always`
    stays whatever happens to the rest.
    """
    fields = {
        name: st.just([value])
        | st.just([value])
        | st.just([])
        | st.lists(nearly(value) | FORM_VALUE, min_size=1, max_size=3)
        for name, value in good.items()
    }
    unknown = st.dictionaries(TEXT, st.lists(FORM_VALUE, min_size=1, max_size=2), max_size=2)
    return st.builds(
        lambda more, known: urlencode({**more, **known, **always}, doseq=True).encode(),
        unknown,
        st.fixed_dictionaries(fields),
    )


class Visitor:
    """A client whose cookies are the same before each request. It sees crashes as answers."""

    def __init__(self, cookies=None):
        self._client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        self._cookies = dict(cookies or {})

    def get(self, address, **headers):
        return self.send("GET", address, b"", "", headers)

    def post(self, address, body):
        return self.send("POST", address, body, "application/x-www-form-urlencoded", {})

    def send(self, method, address, body, content_type, headers):
        self._client.cookies.clear()
        self._client.cookies.load(self._cookies)
        # A server reads the bytes of a header as latin-1, whatever they were meant to be.
        named = {
            name.replace("_", "-"): value.encode().decode("latin-1")
            for name, value in headers.items()
        }
        return self._client.generic(method, address, body, content_type=content_type, headers=named)


def query(**values):
    """Return an address's query; a text with anything in it is encoded as UTF-8."""
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in values.items())
