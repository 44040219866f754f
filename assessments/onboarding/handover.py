"""The handover text for a new partner: everything except the secret."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

from django.conf import settings

from partners.models import Project
from partners.plain_text import one_line
from tokens.models import STAFF_TIME, AccessToken

STUDENT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43210"}
SECRET_VARIABLE = "$TOKEN_SECRET"  # noqa: S105 - a variable name

PACK = """\
PARTNER ASSESSMENT SERVICE: YOUR ACCESS

Partner        {partner}
Project        {project}
Base address   {base}
projectId      {project_id}
TokenId        {token_id}
TokenSecret    sent separately. It cannot be shown again.
Token expires  {expires}
Documentation  {base}/docs/
               {base}/openapi.json (OpenAPI)
Support        {support}


1. SET THE SECRET IN A TERMINAL ON YOUR BACKEND

Start the line with a space to keep it out of the shell's history.

 export TOKEN_SECRET='your TokenSecret'


2. REQUEST A LINK FOR A STUDENT

{link}

The response is {{"redirect-url": "{base}/{project_id}/assessment?token=..."}}. Open it in
a new tab. Each link works once; request a new one for every attempt.


3. READ THE RESULTS

{results}

The response is an array of finished attempts, [] until there is one.


SETTINGS OF YOUR PROJECT

Links          {links} calls a minute
Results        {reads} calls a minute
Start-by       a link can be started for {start_by}
Finish-by      a started assessment can be continued for {finish_by}
Consent        {consent}
Retention      {retention}


STATUS CODES

400  A field is missing or invalid; "errors" names it. Fix the request.
401  TokenId, TokenSecret or projectId is wrong, or the token is revoked or has expired.
     Check all three, then contact support. Do not retry.
410  Seen by students only: their link was used or has expired. Request a new link.
429  Too many calls this minute. Wait the seconds in Retry-After, then retry.
500  An error on our side. Retry after a short delay; contact support if it persists.

Every response has an X-Request-ID header: log it and quote it to support. Never log the
X-Access-Token header, and never send it to a browser or an app.
"""


def pack(project: Project, token: AccessToken) -> str:
    """Return the handover text, with curl lines that work when pasted.

    It does not contain the secret: the lines read it from the environment.
    """
    credential = f"{token.token_id}:{SECRET_VARIABLE}"
    names = {"projectId": project.project_id}
    return PACK.format(
        partner=one_line(project.partner.name),
        project=one_line(project.name),
        base=settings.APP_URL,
        project_id=project.project_id,
        token_id=token.token_id,
        expires=f"{token.expires_at:{STAFF_TIME}}" if token.expires_at else "never",
        support=settings.SUPPORT_EMAIL,
        link=curl("get-redirect-url", credential, {**names, **STUDENT}),
        results=curl("get-assessments-info", credential, {**names, "email": STUDENT["email"]}),
        links=project.link_rate_per_minute or settings.LINK_RATE_PER_MINUTE,
        reads=project.results_rate_per_minute or settings.RESULTS_RATE_PER_MINUTE,
        start_by=length(project.start_by_minutes),
        finish_by=length(project.finish_by_hours * 60),
        consent=CONSENT[project.asks_age],
        retention=RETENTION[project.is_test].format(counted(project.retention_months, "month")),
    )


CONSENT = {
    False: "you have the consent of a parent or guardian for students under 18",
    True: "students say whether they are under 18 and, if so, name a parent or guardian",
}


RETENTION = {
    False: "answers are deleted {} after an assessment ends",
    True: "this is a test project: everything of a student is deleted after 7 days",
}


def curl(operation: str, credential: str, body: Mapping[str, str]) -> str:
    """Return a curl line that calls an operation.

    `credential` is `<TokenId>:<TokenSecret>`, and may contain a shell variable.
    """
    return " ".join(
        [
            "curl -sS",
            shlex.quote(f"{settings.APP_URL}/partner/{operation}"),
            "-H 'Content-Type: application/json' -H 'Accept: application/json'",
            f'-H "X-Access-Token: {credential}"',
            f"-d {shlex.quote(json.dumps(body))}",
        ]
    )


def length(minutes: int) -> str:
    """Format a duration in the largest unit that divides it: 3 days, 25 hours."""
    for unit, size in (("day", 24 * 60), ("hour", 60)):
        if minutes % size == 0 and minutes > size:
            return counted(minutes // size, unit)
    return counted(minutes, "minute")


def counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
