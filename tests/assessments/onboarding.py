"""A member of staff at the onboarding page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from assessments.admin.onboard_page import OnboardForm
from assessments.models import Course
from partners.models import AuditEvent, Partner, Project
from tests.factories import staff_with
from tokens import crypto
from tokens.models import AccessToken

URL = "/admin/onboard/"
RIGHTS = ("partners.add_partner", "partners.add_project", "tokens.issue_token")
MODELS = (Partner, Project, AccessToken, Course, AuditEvent)
FIELDS = {
    "partner_name": "Northern Portal",
    "contact_email": "it@northern.example",
    "project_name": "Sahyadri College",
    "time_zone": "Asia/Kolkata",
    "consent_mode": "obtained",
    "retention_months": "24",
    "label": "first token",
    "expires_in": "",
}


def counts() -> list[int]:
    return [model._default_manager.count() for model in MODELS]


def secrets_in(answer: HttpResponse) -> set[str]:
    return set(crypto.SECRET.findall(answer.content.decode()))


class Desk:
    """A browser with a member of staff who may onboard, if nothing else is said."""

    def __init__(self, *rights: str, user: User | None = None) -> None:
        self.user = user or staff_with(*(rights or RIGHTS))
        self.client = Client()
        self.client.force_login(self.user)

    def form(self, **fields: str) -> dict[str, Any]:
        """Return what the form would send, without the second that its page takes to be made."""
        return {"once": OnboardForm(user=self.user)["once"].value(), **FIELDS, **fields}

    def send(self, file: bytes | None = None, **fields: str) -> HttpResponse:
        """Fill in the page and press its button."""
        return self.post({**self.form(**fields)}, file)

    def post(self, sent: dict[str, Any], file: bytes | None = None) -> HttpResponse:
        more = {} if file is None else {"courses": SimpleUploadedFile("c.csv", file)}
        return self.client.post(URL, {**sent, **more})
