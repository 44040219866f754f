"""The second factor: setting it up, its codes, another app, and what must not work."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from partners.actor_context import ActorContext
from partners.models import AuditEvent
from staff import second_factor
from tests.staff.codes import (
    CODE,
    SET_UP,
    actions,
    code_of,
    give_password,
    is_in,
    member,
    new_app,
    recovery_codes_of,
    set_up,
    sign_in,
    with_app,
    wrong_code_of,
)
from tests.support.threads import race

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("required", "still")]

ORIGIN = ActorContext(actor="command:tests")


# --- the first sign-in


def test_the_first_sign_in_leads_to_setting_up(client: Client) -> None:
    user = member()

    page = client.get(give_password(client, user)["Location"], follow=True)

    text = page.content.decode()
    assert page.redirect_chain[-1][0] == SET_UP
    assert second_factor.key_text(new_app(client).key) in text
    assert "<svg" in text and "style=" not in text
    assert 'autocomplete="one-time-code"' in text and 'inputmode="numeric"' in text
    assert not TOTPDevice.objects.exists()
    assert not is_in(client)


def test_a_right_code_sets_it_up_and_signs_in(client: Client) -> None:
    user = member()
    give_password(client, user)
    before = client.session.session_key

    device, codes = set_up(client)

    assert device.confirmed
    assert is_in(client)
    assert client.session.session_key != before
    assert len(set(codes)) == second_factor.RECOVERY_CODES
    assert actions(user) == ["second_factor_set", "recovery_codes_made", "signed_in"]


@pytest.mark.parametrize(
    "typed", ["", "12", "abc", "12345\0", "１２３４５６", "1e5", "-12345", "9" * 500]
)
def test_no_code_at_all_sets_nothing_up(client: Client, typed: str) -> None:
    user = member()
    give_password(client, user)
    client.get(SET_UP)

    answer = client.post(SET_UP, {"code": typed})

    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not TOTPDevice.objects.exists()
    assert actions(user) == []


# --- a code at each sign-in


def test_a_code_of_the_app_lets_in(client: Client) -> None:
    user = member()
    device = with_app(user)
    give_password(client, user)
    before = client.session.session_key

    answer = client.post(CODE, {"code": f"{code_of(device)[:3]} {code_of(device)[3:]}"})

    assert answer["Location"] == "/admin/"
    assert is_in(client)
    assert client.session.session_key != before
    assert actions(user) == ["signed_in"]


def test_a_code_is_taken_once(client: Client) -> None:
    user = member()
    device = with_app(user)
    sign_in(client, user, device)
    watcher = Client()
    give_password(watcher, user)

    replay = watcher.post(CODE, {"code": code_of(device)})

    assert "was already used" in replay.content.decode()
    assert not is_in(watcher)
    assert actions(user)[-1] == "second_factor_refused"


def test_the_code_of_a_colleague_is_refused(client: Client) -> None:
    user, colleague = member(), member()
    with_app(user)
    device = with_app(colleague)
    codes = recovery_codes_of(colleague)
    recovery_codes_of(user)
    give_password(client, user)

    client.post(CODE, {"code": code_of(device)})
    client.post(CODE, {"code": codes[0]})

    assert not is_in(client)
    assert (
        StaticToken.objects.filter(device__user=colleague).count() == second_factor.RECOVERY_CODES
    )


def test_wrong_codes_count_against_the_address(client: Client) -> None:
    user = member()
    device = with_app(user)
    give_password(client, user)
    for _ in range(10):
        TOTPDevice.objects.update(throttling_failure_count=0)
        client.post(CODE, {"code": wrong_code_of(device)})
    TOTPDevice.objects.update(throttling_failure_count=0)

    refused = client.post(CODE, {"code": code_of(device)})

    assert refused.status_code == 429
    assert not is_in(client)


@pytest.mark.usefixtures("required")
def test_without_a_password_there_is_no_code_page(client: Client) -> None:
    for path in (CODE, SET_UP):
        assert client.get(path)["Location"].startswith("/admin/login/?")
        assert client.post(path, {"code": "123456"})["Location"].startswith("/admin/login/?")
    assert not TOTPDevice.objects.exists()


def test_after_a_wrong_code_the_next_one_comes_too_soon(
    client: Client, still: time_machine.Traveller
) -> None:
    user = member()
    device = with_app(user)
    give_password(client, user)
    client.post(CODE, {"code": wrong_code_of(device)})

    client.post(CODE, {"code": code_of(device)})
    assert not is_in(client)

    still.shift(timedelta(seconds=2))
    client.post(CODE, {"code": code_of(device)})
    assert is_in(client)
    assert actions(user) == ["second_factor_refused"] * 2 + ["signed_in"]


# --- setting up


def test_a_wrong_code_sets_nothing_up_and_the_key_stays(client: Client) -> None:
    user = member()
    give_password(client, user)
    app = new_app(client)

    client.post(SET_UP, {"code": wrong_code_of(app)})

    assert new_app(client).key == app.key
    assert not TOTPDevice.objects.exists()
    assert not is_in(client)
    assert actions(user) == ["second_factor_refused"]


def test_of_two_first_sign_ins_each_has_a_key_and_one_sets_it_up(client: Client) -> None:
    user, slower = member(), Client()
    give_password(slower, user)
    late = new_app(slower)
    give_password(client, user)

    device, _ = set_up(client)
    answer = slower.post(SET_UP, {"code": code_of(late)})

    assert late.key != device.key
    assert answer["Location"] == CODE
    assert not is_in(slower)
    assert TOTPDevice.objects.get() == device


def test_recovery_codes_are_shown_once_and_kept_nowhere(client: Client) -> None:
    give_password(client, member())
    app = new_app(client)
    answer = client.post(SET_UP, {"code": code_of(app)})
    codes = re.findall(r"<code>([a-z2-7-]+)</code>", answer.content.decode())

    stored = " ".join(StaticToken.objects.values_list("token", flat=True))
    session = str(dict(client.session.items()))
    assert len(codes) == StaticToken.objects.count() == second_factor.RECOVERY_CODES
    assert "no-store" in answer["Cache-Control"]
    for code in codes:
        assert len(code.replace("-", "")) * 5 == 80
        assert code.replace("-", "") not in stored + session
    assert app.key not in session


@pytest.mark.parametrize("present", ["", "123456", "a" * 16, "its own"])
def test_nobody_replaces_the_app_without_a_code_of_it(client: Client, present: str) -> None:
    user = member()
    device = with_app(user)
    sign_in(client, user, device)
    app = new_app(client)

    client.post(
        SET_UP,
        {"code": code_of(app), "present": code_of(app) if present == "its own" else present},
    )

    assert TOTPDevice.objects.get() == device
    assert "second_factor_set" not in actions(user)


def test_nobody_replaces_the_app_between_password_and_code(client: Client) -> None:
    user = member()
    device = with_app(user)
    give_password(client, user)

    assert client.get(SET_UP)["Location"] == CODE
    assert client.post(SET_UP, {"code": "123456", "present": code_of(device)})["Location"] == CODE


@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_with_a_code_another_app_takes_its_place(
    client: Client, still: time_machine.Traveller, kind: str
) -> None:
    user = member()
    old = with_app(user)
    recovery = recovery_codes_of(user)[0]
    elsewhere = Client()
    sign_in(elsewhere, user, old)
    sign_in(client, user, old)
    still.shift(timedelta(minutes=1))

    new, codes = set_up(client, present=code_of(old) if kind == "app" else recovery)

    assert TOTPDevice.objects.get() == new
    assert is_in(client)
    assert not is_in(elsewhere)
    assert len(codes) == second_factor.RECOVERY_CODES
    assert actions(user)[-2:] == ["second_factor_set", "recovery_codes_made"]


# --- two at once


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_a_code_sent_by_two_at_once_lets_one_in(kind: str) -> None:
    user = member()
    device = with_app(user)
    recovery = recovery_codes_of(user)[0].replace("-", "")
    code = code_of(device) if kind == "app" else recovery

    answers = race([lambda: second_factor.verify(user, code, **ORIGIN)] * 4)

    assert answers.count(device) == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_keys_set_up_at_once_one_is_taken() -> None:
    user = member()
    keys = [random_hex(20) for _ in range(2)]

    def confirm(key: str) -> second_factor.SetUp:
        return second_factor.set_up(user, key, code_of(TOTPDevice(key=key)), **ORIGIN)

    answers = race([lambda key=key: confirm(key) for key in keys])  # type: ignore[misc]

    assert sum(answer.device is None for answer in answers) == 1
    assert TOTPDevice.objects.filter(user=user).count() == 1
    assert StaticToken.objects.filter(device__user=user).count() == second_factor.RECOVERY_CODES


# --- recovery codes


@pytest.mark.parametrize("written", [str, str.upper, lambda code: code.replace("-", " ")])
def test_a_recovery_code_lets_in_once(client: Client, written: Any) -> None:
    user = member()
    with_app(user)
    code = written(recovery_codes_of(user)[4])
    again = Client()

    for browser in (client, again):
        give_password(browser, user)
        browser.post(CODE, {"code": code})

    assert "9 of 10 left" in client.get("/admin/account/").content.decode()
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
    assert "codes" not in (replay.context or {})
    assert actions(user).count("recovery_codes_made") == 2


# --- a reset


def reset(*arguments: str) -> None:
    call_command("reset_second_factor", *arguments, stdout=io.StringIO(), stderr=io.StringIO())


def test_it_forgets_app_codes_and_sessions(client: Client) -> None:
    user, colleague = member(), member()
    others = Client()
    give_password(others, colleague)
    set_up(others)
    give_password(client, user)
    set_up(client)

    reset(user.username, "--yes")

    assert not TOTPDevice.objects.filter(user=user).exists()
    assert not StaticToken.objects.filter(device__user=user).exists()
    assert not is_in(client)
    assert is_in(others)
    assert actions(user)[-1] == "second_factor_reset"
    assert AuditEvent.objects.about(user).newest_first()[0].actor.startswith("command:")

    give_password(client, user)
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == SET_UP


def test_a_reset_asks_first() -> None:
    user = member()
    with_app(user)

    with pytest.raises(CommandError, match="no terminal"):
        reset(user.username)

    assert TOTPDevice.objects.filter(user=user, confirmed=True).exists()
