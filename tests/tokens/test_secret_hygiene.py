"""After everything that makes a secret, it is nowhere but in the one answer."""

from __future__ import annotations

import io
import logging
import re

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from tests.factories import ProjectFactory, UserFactory, issued_token
from tokens import crypto

pytestmark = pytest.mark.django_db
ADMIN = "/admin/tokens/accesstoken/"


def everything_stored() -> str:
    """Return all rows of all tables as text: tokens, audit, sessions, the admin's log."""
    models = [*apps.get_models(include_auto_created=True)]
    return "\n".join(str(list(model._base_manager.values())) for model in models)


def test_no_secret_is_stored_or_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client = Client()
    client.force_login(UserFactory.create(is_superuser=True))
    project = ProjectFactory.create()
    secrets = []

    def press(url: str, **fields: str) -> None:
        once = re.search(r'name="once" value="([^"]+)"', client.get(url).content.decode())
        assert once
        answer = client.post(url, {"once": once[1], **fields}).content.decode()
        secrets.extend(set(crypto.SECRET.findall(answer)))

    press(f"{ADMIN}issue/", project=str(project.pk), reason="asked for")
    token, secret = issued_token(project)
    secrets.append(secret)
    press(f"{ADMIN}{token.pk}/rotate/", overlap="7d")
    stdout, stderr = io.StringIO(), io.StringIO()
    call_command("issue_token", project.project_id, "--json", stdout=stdout, stderr=stderr)
    secrets += crypto.SECRET.findall(stdout.getvalue())
    for each in secrets:
        client.post(
            "/partner/get-assessments-info",
            headers={"X-Access-Token": f"{crypto.new_token_id()}:{each}"},
        )
        client.post(
            "/partner/get-assessments-info",
            {"projectId": project.project_id, "email": "a@example.com"},
            "application/json",
            headers={"X-Access-Token": f"{token.token_id}:{each}"},
        )
    client.get(ADMIN)

    stored, cookies = everything_stored(), client.cookies.output()
    assert len(set(secrets)) == 4
    for each in secrets:
        assert each not in stored
        assert each not in caplog.text
        assert each not in cookies
        assert each not in stderr.getvalue()
    assert crypto.digest(secret) in stored
