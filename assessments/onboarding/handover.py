"""What a new partner is handed: a page of plain text, complete but for the secret."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

from django.conf import settings

from partners.models import Project
from tokens.models import STAFF_TIME, AccessToken

STUDENT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43210"}
SECRET_VARIABLE = "$TOKEN_SECRET"  # noqa: S105  the name of it

PACK = """\
PARTNER ASSESSMENT SERVICE: YOUR ACCESS

Partner        {partner}
Project        {project}
Base address   {base}
projectId      {project_id}
TokenId        {token_id}
TokenSecret    comes separately, once. Nobody can show it again.
Token expires  {expires}
Documentation  {base}/docs/
               {base}/openapi.json (for programs)
Support        {support}


1. PUT THE SECRET INTO A TERMINAL OF YOUR BACKEND

Begin the line with a space if the shell should not remember it.

 export TOKEN_SECRET='your TokenSecret'


2. ASK FOR A LINK FOR A STUDENT

{link}

The answer is {{"redirect-url": "{base}/{project_id}/assessment?token=..."}}: open it in
a new tab. Every attempt needs a new link; it works once.


3. READ THE RESULTS

{results}

The answer is an array of finished attempts; [] until there is one.


WHAT HOLDS FOR YOUR PROJECT

Links          {links} calls a minute
Results        {reads} calls a minute
Start-by       a link can be started for {start_by}
Finish-by      a started assessment can be continued for {finish_by}
Consent        {consent}
Kept           answers are deleted {months} after an assessment has ended


WHAT A STATUS MEANS

400  A field is missing or not valid; "errors" names it. Mend the call.
401  TokenId, TokenSecret or projectId is wrong, or the token is revoked or has expired.
     Check the three, then ask support. Do not retry.
410  Students see it, not your backend: their link is used up or expired. Get a fresh link.
429  Too many calls in this minute. Wait the seconds in Retry-After, then go on.
500  Something failed on our side. Retry after a short delay; tell support if it persists.

Every answer carries X-Request-ID: log it and quote it to support. Never log or send the
X-Access-Token header anywhere else, least of all to a browser or an app.
"""


def pack(project: Project, token: AccessToken) -> str:
    """Return what a partner's developer needs for the first calls, with lines that work as pasted.

    The secret is not in it: the lines take it from the environment.
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
        months=counted(project.retention_months, "month"),
    )


CONSENT = {
    False: "you have the consent of a parent or guardian for students under 18",
    True: "students say whether they are under 18 and, if so, name a parent or guardian",
}


def curl(operation: str, credential: str, body: Mapping[str, str]) -> str:
    """Return one line for a shell that calls an operation.

    `credential` is `<TokenId>:<TokenSecret>`, or names a variable for the shell to fill in.
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
    """Return a length of time in the largest unit that measures it whole: 3 days, 25 hours."""
    for unit, size in (("day", 24 * 60), ("hour", 60)):
        if minutes % size == 0 and minutes > size:
            return counted(minutes // size, unit)
    return counted(minutes, "minute")


def counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def one_line(text: str) -> str:
    return " ".join(text.split())
