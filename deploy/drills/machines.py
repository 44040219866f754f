"""The web tier keeps no state: one person's requests are answered by two machines in turn."""

from __future__ import annotations

import base64
import re
import secrets
import threading
import time
from pathlib import Path

import psycopg
from django_otp.oath import totp

from bench.remote import Client, Failed, Gate, Partner, RemoteBrowser, Tally
from deploy.drills.deployed import Deployed
from tests.support.figures import Figure, at_least, at_most, exactly, told

STAFF_PAGES = (
    "/admin/",
    "/admin/partners/project/",
    "/admin/assessments/student/",
    "/admin/tokens/accesstoken/",
    "/admin/partners/auditevent/",
    "/admin/account/",
)
SIGN_OUT = "/admin/logout/"
_KEY = re.compile(r'<code class="key">([A-Z2-7 ]+)</code>')
BLOCKED = 6  # calls that want a locked row; the machines have sixteen threads
HELD = 8.0  # seconds
ANSWERED = 5.0  # seconds, of a call that waits for a lock


class InTurn:
    """Lets nginx ask the other machine each time, by the marks of restarting halves."""

    def __init__(self, marks: Path) -> None:
        self._marks = [marks / "restarting-first", marks / "restarting-second"]

    def __call__(self) -> None:
        self._marks.reverse()
        self._marks[0].touch()
        self._marks[1].unlink(missing_ok=True)

    def end(self) -> None:
        for mark in self._marks:
            mark.unlink(missing_ok=True)


def in_turn(deployed: Deployed, partner: Partner) -> list[Figure]:
    """Take a whole assessment, and work in the back office, on two machines in turn."""
    turns = InTurn(deployed.nginx.marks)
    gate = Gate(deployed.nginx.port, deployed.nginx.certificate, turns)
    before = len(deployed.nginx.access_log())
    tally = Tally()
    status = take_assessment(RemoteBrowser(Client(gate, tally)), partner)
    pages = work_as_staff(RemoteBrowser(Client(gate, tally)), deployed)
    turns.end()
    time.sleep(0.2)  # until the last line is written
    asked = [line["upstream"] for line in deployed.nginx.access_log()[before:]]
    repeated = sum(first == second for first, second in zip(asked, asked[1:], strict=False))
    return [
        at_least("in turn: requests of a student and of staff", len(asked), 40),
        exactly("in turn: machines", len(set(asked)), 2),
        exactly("in turn: two requests in a row on one machine", repeated, 0),
        exactly(f"in turn: requests that failed {tally.failures}", tally.failed, 0),
        exactly("in turn: assessments completed", int(status == "Completed"), 1),
        exactly("in turn: pages of the back office", pages, len(STAFF_PAGES)),
    ]


def take_assessment(browser: RemoteBrowser, partner: Partner) -> str:
    """Answer all questions; return the status that the partner is told."""
    client = browser.client
    last = browser.finish(browser.start(partner.link(client, "turns@example.com")))
    assert last.name == "result", last.text
    [record] = partner.results(client, "turns@example.com")
    return str(record["Status"])


def work_as_staff(browser: RemoteBrowser, deployed: Deployed) -> int:
    """Sign in for the first time, with an authenticator app; return how many pages were shown."""
    password = secrets.token_urlsafe(24)
    account = ("--noinput", "--username", "machines", "--email", "machines@example.com")
    deployed.manage("createsuperuser", *account, DJANGO_SUPERUSER_PASSWORD=password)
    _fill_in(browser, "/admin/login/", username="machines", password=password)
    shown = _KEY.search(browser.get("/admin/login/set-up/").text)
    assert shown
    key = base64.b32decode(shown[1].replace(" ", ""))
    _fill_in(browser, "/admin/login/set-up/", code=f"{totp(key):06}")
    return sum(SIGN_OUT in browser.get(path).text for path in STAFF_PAGES)


def _fill_in(browser: RemoteBrowser, path: str, **values: str) -> None:
    browser.get(path)
    token = browser.cookies["__Host-csrftoken"]
    browser.post(path, {"csrfmiddlewaretoken": token, **values})


def locked_row(deployed: Deployed, partner: Partner) -> list[Figure]:
    """Hold a student's row for some seconds; call for that student, and for others."""
    gate = Gate(deployed.nginx.port, deployed.nginx.certificate)
    partner.link(Client(gate, Tally()), "locked@example.com")
    waiting, others = Tally(), Tally()

    def call_for_the_locked() -> None:
        client = Client(gate, waiting)
        try:
            partner.link(client, "locked@example.com")
        except Failed as failed:
            assert failed.status == 500, failed
        finally:
            client.close()

    url = f"{deployed.primary.url.rpartition('/')[0]}/assess"
    threads = [threading.Thread(target=call_for_the_locked) for _ in range(BLOCKED)]
    with psycopg.connect(url) as holder:
        holder.execute(
            "SELECT 1 FROM assessments_student WHERE email_key = 'locked@example.com' FOR UPDATE"
        )
        for thread in threads:
            thread.start()
        client, end = Client(gate, others), time.monotonic() + HELD
        while time.monotonic() < end:
            partner.link(client, f"{secrets.token_hex(4)}@example.com")
        for thread in threads:
            thread.join()
    after = Tally()
    partner.link(Client(gate, after), "locked@example.com")
    return [
        exactly("locked row: calls for it that were refused", waiting.failed, BLOCKED),
        at_most("locked row: the slowest of these, s", waiting.quantile(1) / 1000, ANSWERED),
        told("locked row: calls for others meanwhile", others.requests),
        exactly("locked row: of these failed", others.failed, 0),
        exactly("locked row: calls for it afterwards that failed", after.failed, 0),
    ]
