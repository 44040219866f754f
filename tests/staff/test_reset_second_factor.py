from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.models import AuditEvent
from tests.staff.codes import SET_UP, actions, give_password, is_in, member, set_up

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("required")]


def run(*arguments: str) -> tuple[str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    call_command("reset_second_factor", *arguments, stdout=stdout, stderr=stderr)
    return stdout.getvalue(), stderr.getvalue()


def test_it_forgets_app_codes_and_sessions(client: Client) -> None:
    user, colleague = member(), member()
    others = Client()
    give_password(others, colleague)
    set_up(others)
    give_password(client, user)
    set_up(client)

    _, said = run(user.username, "--yes")

    assert f"The second factor of {user.username} was reset." in said
    assert not TOTPDevice.objects.filter(user=user).exists()
    assert not StaticToken.objects.filter(device__user=user).exists()
    assert not is_in(client)
    assert is_in(others)
    assert actions(user)[-1] == "second_factor_reset"
    assert AuditEvent.objects.about(user).newest_first()[0].actor.startswith("command:")


def test_the_next_sign_in_sets_up_a_new_one(client: Client) -> None:
    user = member()
    give_password(client, user)
    set_up(client)
    run(user.username, "--yes")

    give_password(client, user)

    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == SET_UP


def test_it_asks_first(client: Client) -> None:
    user = member()
    give_password(client, user)
    set_up(client)

    with pytest.raises(CommandError, match="no terminal"):
        run(user.username)

    assert TOTPDevice.objects.filter(user=user, confirmed=True).exists()
