"""A partner's backend, written from the specification alone: two POST calls and a header."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass

from tests.support import hygiene


@dataclass(frozen=True)
class Applicant:
    """A student, as the partner knows them."""

    name: str
    email: str
    mobile: str


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body


@dataclass(frozen=True)
class PartnerBackend:
    """The two calls, with the credentials of one project."""

    base_url: str
    project_id: str
    token_id: str
    token_secret: str

    @classmethod
    def from_onboarding(cls, base_url, printed):
        """Return the backend of a project from the output of `onboard_partner --json`."""
        made = json.loads(printed)
        return cls(base_url, made["projectId"], made["TokenId"], made["TokenSecret"])

    def redirect_url(self, applicant):
        return hygiene.remember(self.call("get-redirect-url", asdict(applicant))["redirect-url"])

    def attempts(self, email):
        return list(self.call("get-assessments-info", {"email": email}))

    def call(self, operation, fields):
        """Make a call of this project. Raise Refused with the body of an error."""
        request = urllib.request.Request(
            f"{self.base_url}/partner/{operation}",
            data=json.dumps({"projectId": self.project_id, **fields}).encode(),
            headers={
                "Content-Type": "application/json",
                "Accept": "application/json",
                "X-Access-Token": f"{self.token_id}:{self.token_secret}",
            },
            method="POST",
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(error.code, json.load(error)) from None
