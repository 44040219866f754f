"""The pages that act on links and attempts, as support presses their buttons."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.urls import reverse

VIEW = (
    "assessments.view_student",
    "assessments.view_assessmentlink",
    "assessments.view_assessment",
)
RIGHTS = ("issue_link", "cancel_link", "close_assessment", "extend_assessment")
STAFF = "command:tests"
WHY = "lost, says the college"


def address(act: str, row: Any) -> str:
    return reverse(f"admin:assessments_{row._meta.model_name}_{act}", args=[row.pk])


def hidden(client: Client, url: str) -> dict[str, str]:
    """Return the hidden fields of the form at an address."""
    html = client.get(url).content.decode()
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html)
    return {name: value for name, value in fields if name != "csrfmiddlewaretoken"}


def press(client: Client, url: str, **fields: str) -> Any:
    return client.post(url, {**hidden(client, url), "reason": WHY, **fields})


def shown_link(response: Any) -> str:
    found = re.search(r'id="redirect-url"[^>]*>([^<]+)<', response.content.decode())
    assert found
    return found[1]
