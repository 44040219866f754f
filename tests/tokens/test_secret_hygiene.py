"""After everything that makes a secret, it is nowhere but in the one answer."""

import io
import logging

import pytest
from django.apps import apps
from django.core.management import call_command

from tests.factories import issued_token
from tests.support.admin_forms import opened
from tokens import crypto

pytestmark = pytest.mark.django_db
ADMIN, RESULTS = "/admin/tokens/accesstoken/", "/partner/get-assessments-info"


def test_no_secret_is_stored_or_logged(admin_client, project, caplog):
    caplog.set_level(logging.DEBUG)
    token, secret = issued_token(project)
    secrets = [secret]
    stdout, stderr = io.StringIO(), io.StringIO()

    for url, fields in (
        (f"{ADMIN}issue/", {"project": project.pk, "reason": "asked for"}),
        (f"{ADMIN}{token.pk}/rotate/", {"overlap": "7d", "reason": "leaked"}),
    ):
        answer = admin_client.post(url, opened(admin_client, url).sent(fields))
        secrets += set(crypto.SECRET.findall(answer.content.decode()))
    call_command("issue_token", project.project_id, "--json", stdout=stdout, stderr=stderr)
    secrets += crypto.SECRET.findall(stdout.getvalue())
    for each in secrets:
        for token_id in (crypto.new_token_id(), token.token_id):
            body = {"projectId": project.project_id, "email": "a@example.com"}
            headers = {"X-Access-Token": f"{token_id}:{each}"}
            admin_client.post(RESULTS, body, "application/json", headers=headers)
    admin_client.get(ADMIN)

    # tokens, audit trail, sessions, the admin's log
    models = apps.get_models(include_auto_created=True)
    stored = "\n".join(str(list(model._base_manager.values())) for model in models)
    assert len(set(secrets)) == 4
    for each in secrets:
        for text in (stored, caplog.text, admin_client.cookies.output(), stderr.getvalue()):
            assert each not in text
    assert crypto.digest(secret) in stored
