"""Both calls. Needs Python 3.8 or newer and nothing else."""

import json
import os
import random
import time
import urllib.error
import urllib.request

BASE_URL = os.environ["BASE_URL"]
PROJECT_ID = os.environ["PROJECT_ID"]
CREDENTIAL = f"{os.environ['TOKEN_ID']}:{os.environ['TOKEN_SECRET']}"


def call(operation, fields, attempts=4):
    """Return the answer. Only 429, 5xx and a lost connection are worth another try."""
    request = urllib.request.Request(
        f"{BASE_URL}/partner/{operation}",
        data=json.dumps({"projectId": PROJECT_ID, **fields}).encode(),
        headers={
            "Content-Type": "application/json",
            "Accept": "application/json",
            "X-Access-Token": CREDENTIAL,
        },
    )
    for attempt in range(attempts):
        wait = 2**attempt + random.random()
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            failure = f"{error.code}: {error.read().decode()}"
            if error.code != 429 and error.code < 500:
                break
            retry_after = error.headers.get("Retry-After", "")
            wait = int(retry_after) if retry_after.isdigit() else wait
        except OSError as error:
            failure = str(error)
        if attempt < attempts - 1:
            time.sleep(wait)
    raise RuntimeError(f"{operation} failed. {failure}")


def redirect_url(name, email, mobile):
    """Return a new link for a student. Use it once, do not store it."""
    fields = {"name": name, "email": email, "mobile": mobile}
    return call("get-redirect-url", fields)["redirect-url"]


def assessments(email):
    """Return the student's finished attempts, the newest first; [] if there are none."""
    return call("get-assessments-info", {"email": email})


if __name__ == "__main__":
    print(redirect_url("Asha Rao", "asha.rao@example.com", "+91 98765 43210"))
    for record in assessments("asha.rao@example.com"):
        print(record["Status"], record["AssessmentDuration"], record["Recommendations"])
