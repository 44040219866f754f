"""Students and partners' programs that put a service under load, in threads."""

import contextlib
import itertools
import random
import secrets
import threading
import time

from tests.support.clients import Client, Failed, RemoteBrowser, token_of
from tests.support.ledger import Ledger

# Of visits without a given length, this share only calls the two operations. Of the others one in
# eight leaves, and of their pages of statements one in eight is answered twice.
CALLS_ONLY, LEAVES, CHANGES = 0.9, 8, 8


class Visits:
    """A context manager with threads: a partner asks for a link, and its student uses it.

    A visit answers `pages` pages, or all of them, and ends early if a request fails. With
    `retries`, a request is repeated until it is answered. The threads continue until `stop`, until
    they have sent `most` requests, or until the context ends.
    """

    def __init__(self, gate, partners, threads, *, pages=3, retries=False, most=10**9, pause=0):
        self.ledger = Ledger()
        self._gate, self._partners, self._pages, self._most = gate, partners, pages, most
        self._retries, self._pause = retries, pause
        self._stopping = threading.Event()
        self._numbers = itertools.count()
        self._run = secrets.token_hex(4)  # another run must not meet the same students
        self._threads = [
            threading.Thread(target=self._go_on, args=(random.Random(number),))
            for number in range(threads)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error):
        if error[0] or self._most == 10**9:
            self._stopping.set()
        for thread in self._threads:
            thread.join()

    def until(self, requests):
        """Return once this many requests have been sent."""
        while len(self.ledger.asked) < requests and any(t.is_alive() for t in self._threads):
            time.sleep(0.02)

    def _go_on(self, rng):
        until = self._stopping if self._retries else None
        client = Client(self._gate, self.ledger, until, self._pause)
        while not self._stopping.is_set() and len(self.ledger.asked) < self._most:
            client.cookies.clear()  # each student has a new browser
            email = f"s{next(self._numbers)}.{self._run}@example.com"
            try:
                with contextlib.suppress(Failed):
                    _Visit(client, rng.choice(self._partners), email, rng).walk(self._pages)
            except Exception as error:
                self.ledger.complaints.append(f"{error!r:.1000}")
        client.close()


class _Visit:
    """One student, from the partner's call for a link to the partner's call for results."""

    def __init__(self, client, partner, email, rng):
        self._browser, self._client = RemoteBrowser(client), client
        self._partner, self._email, self._rng, self._ledger = partner, email, rng, client.ledger

    def walk(self, pages):
        url = self._partner.link(self._client, self._email)
        if pages is None and self._rng.random() < CALLS_ONLY:
            self._read("", "")
            return
        page = self._start(url)
        left_after = self._rng.randrange(20) if self._rng.randrange(LEAVES) == 0 else -1
        for number in itertools.count():
            while page.name in {"section", "ideas"}:
                page = self._browser.go_on(page)
            if page.name == "result":
                return
            if number == pages:
                self._read("", "")
                return
            if pages is None and number == left_after:
                self._leave(page)
                return
            page = self._answer(page, may_change=pages is None)

    def _start(self, url):
        landing = self._browser.open(url)
        begun = self._browser.send(landing, {"consent": "yes"})
        [browser] = [v for name, v in self._browser.cookies.items() if "attempt-" in name]
        self._ledger.note("start", token=token_of(url), browser=browser)
        return self._browser.answer_subjects(self._browser.follow(begun))

    def _answer(self, page, may_change):
        """Answer the page's questions; sometimes change the answers to statements."""
        accepted = self._send(page)
        is_last = accepted.location.endswith("/result")
        may_change = may_change and len(page.form.questions) > 1 and not is_last
        if may_change and self._rng.randrange(CHANGES) == 0:
            accepted = self._send(page)
        if is_last:
            attempt = _attempt_of(page)
            self._ledger.note("completed", attempt=attempt)
            self._read(attempt, "Completed")
        return self._browser.follow(accepted)

    def _send(self, page):
        form = page.form
        chosen = {name: self._rng.choice(form.offered(name)) for name in form.questions}
        alone = form.action.rpartition("/")[2]  # the position, where a page has one question
        what = {
            "attempt": _attempt_of(page),
            "choices": {int(n.partition("-")[2] or alone): int(v) for n, v in chosen.items()},
        }
        try:
            accepted = self._browser.send(page, chosen)
        except Failed:
            self._ledger.note("unsure", **what)
            raise
        self._ledger.note("answers", **what)
        return accepted

    def _leave(self, page):
        attempt = _attempt_of(page)
        leaving = self._browser.get(f"{self._partner.path}/{attempt}/leave")
        self._browser.send(leaving, {"leave": "yes"})
        self._ledger.note("left", attempt=attempt)
        self._read(attempt, "Abandoned")

    def _read(self, attempt, status):
        """Ask for results, which must contain exactly the attempt whose end was acknowledged."""
        records = self._partner.results(self._client, self._email)
        told = [(r["AssessmentId"], r["Status"], bool(r["Recommendations"])) for r in records]
        expected = [(attempt, status, status == "Completed")] if attempt else []
        assert told == expected, f"{expected} expected, and the results are {records}"
        if attempt:
            self._ledger.note("read", attempt=attempt)


def _attempt_of(page):
    """Return the AssessmentId in the address of a page's form."""
    return str(page.form.action.split("/")[3])
