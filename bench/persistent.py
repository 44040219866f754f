"""Students and partners' programs that try until they are answered, and note what they got."""

from __future__ import annotations

import hashlib
import http.client
import json
import queue
import random
import re
import threading
import time
from html import unescape
from typing import Any, NoReturn
from urllib.parse import parse_qsl, urlencode

from bench import ledger as log
from bench.ledger import NO_ANSWER, Asked, Ledger
from bench.races_ground import Ground
from bench.walkers import FORM, HIDDEN, OK, PAGE, SEE_OTHER, Walker

# Seconds: until somebody presses again; until a connection that says nothing is given up.
TRY_AGAIN, GIVE_UP = 0.05, 15.0
RESULTS, LINKS = "/partner/get-assessments-info", "/partner/get-redirect-url"
# Of students: one in so many leaves, and of pages sent, one is changed afterwards.
LEAVES, CHANGES = 8, 8
TOKEN = re.compile(r"[?&]token=([A-Za-z0-9_-]{43})")


class Stopped(Exception):
    """The load was told to end."""


class Load:
    """A context manager: students and partners' programs act inside it, each on a connection.

    `pause` is how long each waits between two requests, in seconds; with 0 they are as busy as
    the service lets them.
    """

    def __init__(
        self,
        port: int,
        grounds: list[Ground],
        ledger: Ledger,
        *,
        students: int = 8,
        partners: int = 4,
        pause: float = 0,
    ) -> None:
        self.port, self.grounds, self.ledger, self.pause = port, grounds, ledger, pause
        self.links: queue.LifoQueue[tuple[Ground, str, str]] = queue.LifoQueue()
        self.stopping = threading.Event()
        acts = [self._students] * students + [self._partner] * partners
        self._threads = [
            threading.Thread(target=self._go_on, args=(act, number))
            for number, act in enumerate(acts)
        ]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stopping.set()
        for thread in self._threads:
            thread.join()

    def _go_on(self, act: Any, number: int) -> None:
        try:
            act(random.Random(number))
        except Stopped:
            pass
        except Exception as error:
            self.ledger.complaints.append(f"{act.__name__}: {error!r}"[:1000])

    def _students(self, rng: random.Random) -> None:
        while not self.stopping.is_set():
            try:
                ground, link_token, email = self.links.get(timeout=0.1)
            except queue.Empty:
                continue
            Student(self, ground, link_token, email, rng).walk()

    def _partner(self, rng: random.Random) -> None:
        program = Program(self, rng.choice(self.grounds), rng)
        while not self.stopping.is_set():
            program.act()


class Line:
    """One connection, on which each request is sent until it is answered."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self.connection = http.client.HTTPConnection("127.0.0.1", load.port, timeout=GIVE_UP)

    def ask(self, kind: str, send: Any) -> Any:
        """Return the first answer of `send` that is no crash: status, text, whatever it returns.

        Raise Stopped if the load ends before; `is_tried` then says whether it was sent at all.
        """
        self.is_tried = False
        if self._load.pause:
            time.sleep(self._load.pause)
        while not self._load.stopping.is_set():
            self.is_tried = True
            began = time.monotonic()
            status, text, rest = NO_ANSWER, "", None
            try:
                status, text, rest = send(self.connection)
            except (OSError, http.client.HTTPException):
                self.connection.close()
            asked = Asked(kind, began, time.monotonic(), status, is_plain(kind, status, text))
            self._load.ledger.asked.append(asked)
            if not asked.has_failed:
                return status, text, rest
            time.sleep(TRY_AGAIN)
        raise Stopped


def is_plain(kind: str, status: int, text: str) -> bool:
    """Tell whether an answer, if it is a crash, is the JSON body or the page that is promised."""
    if status < 500:
        return True
    if not kind.startswith("/partner/"):
        return 'data-page="error-500"' in text
    try:
        body = json.loads(text)
    except ValueError:
        return False
    return bool(body.get("code") == "internal_error" and body.get("requestId"))


class Student(Walker):
    """One student, who answers every page, now and then changes a page, or leaves."""

    def __init__(
        self, load: Load, ground: Ground, link_token: str, email: str, rng: random.Random
    ) -> None:
        super().__init__(ground.path, link_token, rng.randrange(2**32))
        self._load, self._ground, self._link_token, self._email = load, ground, link_token, email
        self._line = Line(load)
        self._left_after = rng.randrange(20) if rng.randrange(LEAVES) == 0 else None

    def walk(self) -> None:
        """Go to the end of the assessment, whichever it is."""
        pages = 0
        self.ask(self._line.connection)
        while not self.has_arrived:
            self.send(self._line.connection)
            pages += 1
            if pages == self._left_after and not self._path.endswith("/result"):
                self._leave()
                return
            self.ask(self._line.connection)

    def send(self, connection: http.client.HTTPConnection) -> str:
        form = FORM.search(self._text)
        assert form, self._text
        page, hidden = self._page, {n: unescape(v) for n, v in HIDDEN.findall(form[0])}
        location = self._post(form[1], hidden | self._given(form[0]))
        may_change = page in ("interests", "preferences") and not location.endswith("/result")
        if may_change and self._rng.randrange(CHANGES) == 0:
            location = self._post(form[1], hidden | self._given(form[0]))
        self._path = location
        return page

    def _leave(self) -> None:
        path = f"{self._ground.path}/leave"
        self._request(self._line.connection, "GET", path)
        form = FORM.search(self._text)
        assert form, self._text
        self._post(path, {n: unescape(v) for n, v in HIDDEN.findall(form[0])} | {"leave": "yes"})

    def _post(self, path: str, fields: dict[str, str]) -> str:
        status, location = self._request(self._line.connection, "POST", path, urlencode(fields))
        if status != SEE_OTHER:
            raise AssertionError(f"POST {path}: {status} {PAGE.findall(self._text)}")
        return location

    def _request(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: str = ""
    ) -> tuple[int, str]:
        """Send until it is answered, and note what was acknowledged."""

        def send(connection: http.client.HTTPConnection) -> tuple[int, str, str]:
            status, location = super(Student, self)._request(connection, method, path, body)
            return status, self._text, location

        # a page, not what stands in its address
        kind = f"{method} {self._page or 'landing'}"
        fields = dict(parse_qsl(body))
        try:
            status, _, location = self._line.ask(kind, send)
        except Stopped:
            if self._line.is_tried and (choices := given(path, fields)):
                what = {"assessment": fields["assessment"], "choices": choices}
                self._load.ledger.note(log.UNSURE, what)
            raise
        if method == "POST" and status == SEE_OTHER:
            self._note(path, fields, location)
        return status, location

    def _note(self, path: str, fields: dict[str, str], location: str) -> None:
        ledger = self._load.ledger
        if "token" in fields:
            digests = {"link": digest(fields["token"]), "browser": digest(self._cookies["attempt"])}
            ledger.note(log.START, digests)
            return
        assessment_id = fields["assessment"]
        if choices := given(path, fields):
            ledger.note(log.ANSWERS, {"assessment": assessment_id, "choices": choices})
        if path.endswith("/leave"):
            ledger.note(log.LEFT, assessment_id)
            self._end(assessment_id, "Abandoned")
        elif location.endswith("/result"):
            ledger.note(log.COMPLETED, assessment_id)
            self._end(assessment_id, "Completed")

    def _end(self, assessment_id: str, status: str) -> None:
        ended = (self._ground.project_id, self._email, assessment_id, status)
        self._load.ledger.ended.append(ended)


def given(path: str, fields: dict[str, str]) -> dict[str, int]:
    """Return the choices in a form, by position; alone on its page one has that of the address."""
    alone = path.rpartition("/")[2]
    return {
        name.partition("-")[2] or alone: int(value)
        for name, value in fields.items()
        if name.startswith("answer")
    }


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Program:
    """A partner's backend: asks for links, and for the results of students who came to an end."""

    def __init__(self, load: Load, ground: Ground, rng: random.Random) -> None:
        self._load, self._ground, self._rng = load, ground, rng
        self._line = Line(load)

    def act(self) -> None:
        """Call one of the two operations."""
        project = self._ground.project_id
        ended = [each for each in self._load.ledger.ended[-200:] if each[0] == project]
        if ended and self._rng.random() < 0.5:
            self._read(*self._rng.choice(ended)[1:])
        else:
            self._ask_for_a_link()

    def _ask_for_a_link(self) -> None:
        email = f"s{self._rng.randrange(2**40)}@example.com"
        student = {"name": "Student", "email": email, "mobile": "9876543210"}
        url = self._call(LINKS, student)["redirect-url"]
        found = TOKEN.search(url)
        assert found, url
        self._load.ledger.note(log.LINK, {"link": digest(found[1]), "email": email})
        self._load.links.put((self._ground, found[1], email))

    def _read(self, email: str, assessment_id: str, status: str) -> None:
        """Ask for results, which must have the attempt whose end was acknowledged, whole."""
        records = self._call(RESULTS, {"email": email})
        own = [record for record in records if record["AssessmentId"] == assessment_id]
        is_whole = [
            (record["Status"], bool(record["Recommendations"])) == (status, status == "Completed")
            for record in own
        ]
        if is_whole != [True]:
            self._complain(f"{assessment_id} {status}, and the results say {records}")
        self._load.ledger.note(log.READ, assessment_id)

    def _call(self, operation: str, fields: dict[str, str]) -> Any:
        body = json.dumps({"projectId": self._ground.project_id, **fields})
        headers = {"Content-Type": "application/json", "X-Access-Token": self._ground.credential}

        def send(connection: http.client.HTTPConnection) -> tuple[int, str, None]:
            connection.request("POST", operation, body, headers)
            response = connection.getresponse()
            return response.status, response.read().decode(), None

        status, text, _ = self._line.ask(operation, send)
        if status != OK:
            self._complain(f"{operation}: {status} {text}")
        return json.loads(text)

    def _complain(self, words: str) -> NoReturn:
        raise AssertionError(words)
