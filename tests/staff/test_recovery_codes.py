"""Recovery codes: taken once, kept as digests, replaced by new ones."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken

from staff import second_factor
from tests.staff.codes import (
    CODE,
    actions,
    code_of,
    give_password,
    is_in,
    member,
    recovery_codes_of,
    sign_in,
    with_app,
    wrong_code_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("required", "still")]

ORIGIN = {"actor": "command:tests"}


@pytest.mark.parametrize("written", [str, str.upper, lambda code: code.replace("-", " ")])
def test_a_recovery_code_lets_in_once(client: Client, written: Any) -> None:
    user = member()
    with_app(user)
    code = written(recovery_codes_of(user)[4])
    again = Client()

    for browser in (client, again):
        give_password(browser, user)
        browser.post(CODE, {"code": code}, query_params={"with": "recovery"})

    assert "9 are left" in client.get("/admin/").content.decode()
    assert not is_in(again)
    assert actions(user) == [
        "recovery_codes_made",
        "recovery_code_used",
        "signed_in",
        "second_factor_refused",
    ]


def test_the_digest_of_a_recovery_code_is_none(client: Client) -> None:
    user = member()
    with_app(user)
    recovery_codes_of(user)
    give_password(client, user)

    for digest in StaticToken.objects.values_list("token", flat=True):
        client.post(CODE, {"code": digest})

    assert not is_in(client)


def test_recovery_codes_without_an_app_open_nothing() -> None:
    user = member()
    codes = recovery_codes_of(user)

    answer = second_factor.verify(user, codes[0].replace("-", ""), actor="command:tests")

    assert answer.device is None


def test_new_recovery_codes_end_the_old(client: Client, still: time_machine.Traveller) -> None:
    user = member()
    device = with_app(user)
    recovery_codes_of(user)
    old = set(StaticToken.objects.values_list("token", flat=True))
    sign_in(client, user, device)
    still.shift(timedelta(minutes=1))
    path = "/admin/account/recovery-codes/"

    answer = client.post(path, {"code": code_of(device)})
    replay = client.post(path, {"code": code_of(device)})

    codes = re.findall(r"<code>([a-z2-7-]+)</code>", answer.content.decode())
    assert len(codes) == second_factor.RECOVERY_CODES
    assert "no-store" in answer["Cache-Control"]
    assert old.isdisjoint(StaticToken.objects.values_list("token", flat=True))
    assert "was already used" in replay.content.decode()
    assert actions(user).count("recovery_codes_made") == 2


def test_new_recovery_codes_need_a_code(client: Client) -> None:
    user = member()
    device = with_app(user)
    sign_in(client, user, device)

    client.post("/admin/account/recovery-codes/", {"code": wrong_code_of(device)})

    assert not StaticToken.objects.exists()
