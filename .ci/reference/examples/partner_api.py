"""Calls of the partner API. Needs Python 3.8 or newer and nothing else."""

import http.client
import json
import os
import random
import re
import time
import urllib.request


def setting(name, pattern="[A-Za-z0-9_-]+"):
    """Return a variable of the environment, trimmed. No message shows its value."""
    value = os.environ.get(name, "").strip()
    if not re.fullmatch(pattern, value):
        raise ValueError(
            f"{name} is empty, not complete, or has a space, quote or line break in it"
        )
    return value


BASE_URL = setting("BASE_URL", "https?://[^\\s\"'?#]+").rstrip("/")
PROJECT_ID = setting("PROJECT_ID")
CREDENTIAL = f"{setting('TOKEN_ID')}:{setting('TOKEN_SECRET')}"


class CallFailed(Exception):
    """`status` is None without an answer; `body` is a dict, mostly with "code" and "requestId"."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status = status
        self.body = body


class EveryStatus(urllib.request.HTTPErrorProcessor):
    """Give back failures like any answer, and follow no redirect: the secret would go along."""

    def http_response(self, request, response):
        return response

    https_response = http_response


OPENER = urllib.request.build_opener(EveryStatus)


def call(operation, fields, seconds=20, headers=None):
    """Return the answer, or raise CallFailed after about `seconds` at the latest."""
    request = urllib.request.Request(
        f"{BASE_URL}/partner/{operation}",
        data=json.dumps({"projectId": PROJECT_ID, **fields}).encode(),
        headers={
            "Content-Type": "application/json",
            "Accept": "application/json",
            "X-Access-Token": CREDENTIAL,
            **(headers or {}),
        },
    )
    deadline = time.monotonic() + seconds
    pause = 1
    while True:
        status, retry_after = None, ""
        try:
            timeout = min(10, deadline - time.monotonic())
            with OPENER.open(request, timeout=timeout) as response:
                status = response.status
                retry_after = response.headers.get("Retry-After", "")
                body = json.loads(response.read().decode(errors="replace"))
            if status == 200:
                return body
        except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
            body = {"detail": str(error)}
        # Worth another try: no answer, a broken one, too many calls, a fault of the server.
        retry = status in (None, 200, 429) or status >= 500
        wait = max(pause, int(retry_after) if retry_after.isdecimal() else 0) + random.random()
        if not retry or time.monotonic() + wait + 1 > deadline:
            raise CallFailed(status, body)
        time.sleep(wait)
        pause *= 2


def redirect_url(name, email, mobile):
    """Return a new link for a student. Use it once, do not store it."""
    fields = {"name": name, "email": email, "mobile": mobile}
    return call("get-redirect-url", fields)["redirect-url"]


def assessments(email):
    """Return the student's finished attempts, the newest first; [] if there are none."""
    return call("get-assessments-info", {"email": email})


if __name__ == "__main__":
    print(redirect_url("Asha Rao", "asha.rao@example.com", "+91 98765 43201"))
    for record in assessments("asha.rao@example.com"):
        print(record["Status"], record["AssessmentDuration"], record["Recommendations"])
