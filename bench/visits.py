"""Load like that of a day: partners ask for links, students open and answer, partners look.

Each visit remembers what it was told is done; `missing` looks for it in the database afterwards.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from bench.remote import Client, Failed, Gate, Partner, RemoteBrowser, Tally

PAGES = 3  # that a student answers in a visit; nine or ten requests in all
Rows = Callable[[str, tuple[Any, ...]], list[dict[str, Any]]]


@dataclass(frozen=True)
class Done:
    """Something that was acknowledged: a link by its token, a start likewise, or an answer."""

    kind: Literal["link", "start", "answer"]
    token: str
    position: int = 0
    choice: int = 0
    at: float = field(default_factory=time.monotonic)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.token.encode()).hexdigest()


class Load:
    """Visits of several threads, until `stop` or until so many requests were sent."""

    def __init__(self, gate: Gate, partner: Partner, threads: int, most: int = 10**9) -> None:
        self.tally = Tally()
        self.done: list[Done] = []
        self._gate, self._partner, self._most = gate, partner, most
        self._stopping = threading.Event()
        self._numbers = itertools.count()
        self._threads = [threading.Thread(target=self._visit_on) for _ in range(threads)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        if error[0]:
            self._stopping.set()
        self.wait()

    def stop(self) -> None:
        self._stopping.set()

    def wait(self) -> None:
        for thread in self._threads:
            thread.join()

    def until(self, requests: int) -> None:
        """Return once so many requests were sent."""
        while self.tally.requests < requests and any(t.is_alive() for t in self._threads):
            time.sleep(0.02)

    @property
    def _is_over(self) -> bool:
        return self._stopping.is_set() or self.tally.requests >= self._most

    def _visit_on(self) -> None:
        client = Client(self._gate, self.tally)
        while not self._is_over:
            # Each student has a browser of its own; the connection is kept, as a proxy's would be.
            client.cookies.clear()
            with contextlib.suppress(Failed):
                self._visit(client, f"s{next(self._numbers)}.{id(self)}@example.com")
        client.close()

    def _visit(self, client: Client, email: str) -> None:
        url = self._partner.link(client, email)
        token = parse_qs(urlsplit(url).query)["token"][0]
        self.done.append(Done("link", token))
        browser = RemoteBrowser(client)
        landing = browser.open(url)
        begun = browser.send(landing, {"consent": "yes"})
        self.done.append(Done("start", token))
        page = browser.follow(begun)
        for _ in range(PAGES):
            if page.name == "section":
                page = browser.press(page, {"begin": "yes"})
            chosen = {name: page.form.offered(name)[0] for name in page.form.questions}
            accepted = browser.send(page, chosen)
            self.done += [
                Done("answer", token, int(name.partition("-")[2] or position), int(value))
                for name, value in chosen.items()
                for position in [page.place.strip("/")]
            ]
            page = browser.follow(accepted)
        self._partner.results(client, email)


def missing(done: list[Done], rows: Rows) -> list[Done]:
    """Return what was acknowledged and is not in the database."""
    links = {
        row["token_digest"]: row
        for row in rows("SELECT token_digest, used_at FROM assessments_assessmentlink", ())
    }
    answers = {
        (row["token_digest"], row["position"]): row["choice"]
        for row in rows(
            "SELECT l.token_digest, a.position, a.choice FROM assessments_answer a"
            " JOIN assessments_assessmentlink l ON l.assessment_id = a.assessment_id",
            (),
        )
    }

    def is_there(what: Done) -> bool:
        if what.kind == "answer":
            return answers.get((what.digest, what.position)) == what.choice
        link = links.get(what.digest)
        return link is not None and (what.kind == "link" or link["used_at"] is not None)

    return [what for what in done if not is_there(what)]


def starts(done: list[Done]) -> Iterator[str]:
    """Return the tokens of the links whose start was acknowledged."""
    return (what.token for what in done if what.kind == "start")
