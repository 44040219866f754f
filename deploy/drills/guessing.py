"""Guess passwords of staff while students take assessments, who must hardly notice.

    python -m deploy.drills.guessing [--full] [--only PART ...]

guessing  twelve guess, each time another name from another address: students' p95 at most doubles,
          and the guesses beyond nginx's limit get 429
past      six guess as fast as they are answered, without the limit of nginx, as behind Caddy:
          students hardly notice, and staff sign in where somebody has signed in before

Takes about three minutes; --full sends ten times as many requests. Needs root, and the programs of
docs/cluster.md.
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
from tests.support.clients import HOST, Client, Failed, Gate
from tests.support.ledger import Ledger

GUESSERS, THREADS, ROUNDS = 12, 4, 3
# Between two guesses: 120 a second in all. Without it, the guessers take the interpreter and the
# processors from the requests that this program measures.
PAUSE = 0.1
LOGIN = "/admin/login/"
FIELD = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
NAME, PASSWORD, SIGN_INS = "support", "correct horse battery staple 7", 5
# Makes an account, and prints the cookie of a browser in which somebody has signed in.
KNOWN_BROWSER = f"""
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import RequestFactory
from staff.sign_in_limits import remember_browser
User.objects.create_user({NAME!r}, password={PASSWORD!r}, is_staff=True)
response = HttpResponse()
remember_browser(RequestFactory().get("/"), response)
print(response.cookies.output(header="", sep=";").split(";")[0].strip())
"""
# Guesses have wrong passwords, so a 200 is one that was hashed.
HASHED, TOO_MANY = 200, 429


class Guessers:
    """A context manager with threads that guess, each time another name from another address.

    With `past`, they send to all gunicorns what nginx would, each time with another address.
    """

    def __init__(self, deployed, count, *, past=False):
        self.answers = Counter()
        self._past, self._pause = past, 0 if past else PAUSE
        gates = [Gate(8000, host=web.host.address) for web in deployed.webs]
        self._gates = itertools.cycle(gates if past else [deployed.gate])
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
        while not self._stopping.wait(self._pause):
            fields = {"username": f"staff{next(self._numbers)}", "password": "a-wrong-guess"}
            form = urlencode({"csrfmiddlewaretoken": found[1], **fields})
            status, _, _ = self._sent("POST", form, cookie)
            self.answers[status] += 1

    def _sent(self, method, body="", cookie=""):
        """Return status, text and cookie of the answer to a request from a new address."""
        connection = next(self._gates).connect()
        address = str(ip_network(CLIENTS)[next(self._numbers) % 65_000 + 1])
        headers = {"Host": HOST, "Origin": f"https://{HOST}", "Referer": f"https://{HOST}{LOGIN}"}
        if self._past:
            headers |= {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}
        else:
            connection.source_address = (address, 0)
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


def past(deployed, partner, requests):
    """Guess past nginx, while students take assessments and a member of staff signs in."""
    known = deployed.manage("shell", "--no-imports", "-c", KNOWN_BROWSER).strip()
    with (
        Guessers(deployed, 6, past=True) as guessers,
        Visits(deployed.gate, [partner], THREADS, most=requests) as attacked,
    ):
        signed_in = [sign_in(deployed, known) for _ in range(SIGN_INS)]
    ledger = attacked.ledger
    pages = sorted(each.seconds for each in ledger.asked if not each.path.startswith("/partner/"))
    yield at_most("p50 of students' pages beside 6 guessers, ms", 1000 * median(pages), 100)
    yield reported("p95 of all requests, ms", ledger.quantile(0.95))
    yield exactly(f"students' requests that failed {ledger.failures}", ledger.failed, 0)
    yield reported("guesses that were hashed", guessers.answers[HASHED])
    yield at_least("guesses answered with 429", guessers.answers[TOO_MANY], 1)
    yield exactly(f"of {SIGN_INS} sign-ins in a known browser, done", sum(signed_in), SIGN_INS)


def sign_in(deployed, known):
    """Sign in with the right password; return whether the service asks for the code then."""
    client = Client(deployed.gate, Ledger())
    client.cookies.load(known)
    form = FIELD.search(client.get(LOGIN).content.decode())
    fields = {"username": NAME, "password": PASSWORD, "csrfmiddlewaretoken": form[1]}
    try:
        return client.post(LOGIN, fields).status_code == 302
    except Failed:
        return False
    finally:
        client.close()


PARTS = {part.__name__: part for part in (guessing, past)}

if __name__ == "__main__":
    sys.exit(main("deploy.drills.guessing", __doc__, PARTS))
