"""Guess passwords of staff while students take assessments, who must hardly notice.

    python -m deploy.drills.guessing [--full]

Twelve guess, each time another name from another address: students' p95 at most doubles, and the
guesses beyond the limit get 429. Takes about two minutes; --full sends ten times as many requests.
Needs root, and the programs of docs/cluster.md.
"""

import itertools
import re
import sys
import threading
from collections import Counter
from ipaddress import ip_network
from statistics import median
from urllib.parse import urlencode

from deploy.drills.machines import CLIENTS
from deploy.drills.parts import main
from deploy.drills.visits import Visits
from lab.figures import at_least, at_most, exactly, reported
from tests.support.clients import HOST

GUESSERS, THREADS, ROUNDS = 12, 4, 3
# Between two guesses: 120 a second in all. Without it, the guessers take the interpreter and the
# processors from the requests that this program measures.
PAUSE = 0.1
LOGIN = "/admin/login/"
FIELD = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
# Guesses have wrong passwords, so a 200 is one that was hashed.
HASHED, TOO_MANY = 200, 429


class Guessers:
    """A context manager with threads that guess, each time another name from another address."""

    def __init__(self, deployed, count):
        self.answers = Counter()
        self._gate = deployed.gate
        self._numbers = itertools.count()
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._guess) for _ in range(count)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error):
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _guess(self):
        _, page, cookie = self._sent("GET")
        found = FIELD.search(page)
        if found is None:
            raise RuntimeError(f"{LOGIN} has no form")
        while not self._stopping.wait(PAUSE):
            fields = {"username": f"staff{next(self._numbers)}", "password": "a-wrong-guess"}
            form = urlencode({"csrfmiddlewaretoken": found[1], **fields})
            status, _, _ = self._sent("POST", form, cookie)
            self.answers[status] += 1

    def _sent(self, method, body="", cookie=""):
        """Return status, text and cookie of the answer to a request from a new address."""
        connection = self._gate.connect()
        connection.source_address = (str(ip_network(CLIENTS)[next(self._numbers) + 1]), 0)
        headers = {"Host": HOST, "Origin": f"https://{HOST}", "Referer": f"https://{HOST}{LOGIN}"}
        if body:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        try:
            connection.request(method, LOGIN, body or None, headers)
            answer = connection.getresponse()
            given = (answer.headers["Set-Cookie"] or "").partition(";")[0]
            return answer.status, answer.read().decode(), given
        finally:
            connection.close()


def guessing(deployed, partner, requests):
    """Send requests alone and beside guessers, in turns."""
    alone, beside, failed = [], [], 0
    answers = Counter()
    for _ in range(ROUNDS):
        with Visits(deployed.gate, [partner], THREADS, most=requests // 2) as quiet:
            pass
        with (
            Guessers(deployed, GUESSERS) as guessers,
            Visits(deployed.gate, [partner], THREADS, most=requests // 2) as attacked,
        ):
            pass
        alone.append(quiet.ledger.quantile(0.95))
        beside.append(attacked.ledger.quantile(0.95))
        failed += attacked.ledger.failed
        answers += guessers.answers
    others = answers.total() - answers[HASHED] - answers[TOO_MANY]
    yield reported("p95 without guessers, ms", median(alone))
    yield reported(f"p95 beside {GUESSERS} guessers, ms", median(beside))
    yield at_most("ratio of the two", median(beside) / median(alone), 2.0)
    yield exactly("students' requests that failed", failed, 0)
    yield reported("guesses that were hashed", answers[HASHED])
    yield at_least("guesses answered with 429", answers[TOO_MANY], 1)
    yield exactly(f"guesses answered otherwise {dict(answers)}", others, 0)


if __name__ == "__main__":
    sys.exit(main("deploy.drills.guessing", __doc__, {"guessing": guessing}))
