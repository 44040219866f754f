"""The second factor: setting it up, its codes, another app, and what must not work."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from staff import second_factor
from tests.staff.codes import (
    CODE,
    SET_UP,
    actions,
    code_of,
    give_password,
    is_in,
    member,
    recovery_codes_of,
    set_up,
    sign_in,
    with_app,
    wrong_code_of,
)
from tests.support.threads import race

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("required", "still")]

ORIGIN = {"actor": "command:tests"}


# --- the first sign-in


def test_the_first_sign_in_leads_to_setting_up(client: Client) -> None:
    user = member()

    page = client.get(give_password(client, user)["Location"], follow=True)

    text = page.content.decode()
    device = TOTPDevice.objects.get()
    assert page.redirect_chain[-1][0] == SET_UP
    assert second_factor.key_text(device) in text
    assert "<svg" in text and "style=" not in text
    assert 'autocomplete="one-time-code"' in text and 'inputmode="numeric"' in text
    assert not device.confirmed
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
    assert not TOTPDevice.objects.get().confirmed
    assert actions(user) == []


def test_a_wrong_code_sets_nothing_up(client: Client) -> None:
    user = member()
    give_password(client, user)
    client.get(SET_UP)
    device = TOTPDevice.objects.get()

    answer = client.post(SET_UP, {"code": wrong_code_of(device)})

    assert "This code is wrong or was already used" in answer.content.decode()
    assert not TOTPDevice.objects.get().confirmed
    assert not is_in(client)
    assert actions(user) == ["second_factor_refused"]


def test_recovery_codes_are_shown_once_and_kept_nowhere(client: Client) -> None:
    give_password(client, member())
    client.get(SET_UP)
    answer = client.post(SET_UP, {"code": code_of(TOTPDevice.objects.get())})
    codes = re.findall(r"<code>([a-z2-7-]+)</code>", answer.content.decode())

    again = client.post(SET_UP, {"code": "123456"}, follow=True)

    stored = " ".join(StaticToken.objects.values_list("token", flat=True))
    session = str(dict(client.session.items()))
    assert len(codes) == second_factor.RECOVERY_CODES
    assert "no-store" in answer["Cache-Control"]
    for code in codes:
        assert len(code.replace("-", "")) * 5 == 80
        for place in (again.content.decode(), stored, session):
            assert code not in place and code.replace("-", "") not in place
    assert "make new ones here" in again.content.decode()
    assert StaticToken.objects.count() == second_factor.RECOVERY_CODES


def test_each_session_sets_up_a_key_of_its_own(client: Client) -> None:
    user = member()
    thief = Client()
    give_password(thief, user)
    seen_by_thief = thief.get(SET_UP).content.decode()

    give_password(client, user)
    device, _ = set_up(client)

    assert second_factor.key_text(device) not in seen_by_thief
    assert TOTPDevice.objects.get() == device


def test_a_reload_shows_the_same_key(client: Client) -> None:
    give_password(client, member())

    pages = [client.get(SET_UP).content.decode() for _ in range(2)]

    key = second_factor.key_text(TOTPDevice.objects.get())
    assert all(key in page for page in pages)


def test_of_two_first_sign_ins_one_sets_it_up(client: Client) -> None:
    user = member()
    slower = Client()
    give_password(slower, user)
    slower.get(SET_UP)
    key_of_slower = TOTPDevice.objects.get()
    give_password(client, user)

    device, _ = set_up(client)
    answer = slower.post(SET_UP, {"code": code_of(key_of_slower)})

    assert answer["Location"] == CODE
    assert not is_in(slower)
    assert list(TOTPDevice.objects.filter(confirmed=True)) == [device]


def test_the_key_of_another_account_cannot_be_confirmed(client: Client) -> None:
    other = member()
    unconfirmed = second_factor.begin_set_up(other)
    user = member()
    give_password(client, user)
    session = client.session
    session["staff_pending_device"] = unconfirmed.pk
    session.save()

    client.post(SET_UP, {"code": code_of(unconfirmed)})

    assert not TOTPDevice.objects.filter(confirmed=True).exists()
    assert not is_in(client)


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
    assert second_factor.recovery_codes_left(colleague) == second_factor.RECOVERY_CODES


def test_the_device_of_a_colleague_in_the_session_is_not_taken(client: Client) -> None:
    user, colleague = member(), member()
    with_app(user)
    device = with_app(colleague)
    give_password(client, user)
    session = client.session
    session["otp_device_id"] = device.persistent_id
    session.save()

    assert not is_in(client)


def test_wrong_codes_make_one_wait(client: Client, still: time_machine.Traveller) -> None:
    user = member()
    device = with_app(user)
    give_password(client, user)
    for _ in range(3):
        client.post(CODE, {"code": wrong_code_of(device)})
        still.shift(timedelta(seconds=8))
    client.post(CODE, {"code": wrong_code_of(device)})

    refused = client.post(CODE, {"code": code_of(device)})
    still.shift(timedelta(seconds=8))
    taken = client.post(CODE, {"code": code_of(device)})

    assert refused.status_code == 429
    assert refused["Retry-After"] == "8"
    assert "Too many tries. Wait 8 seconds, then try again." in refused.content.decode()
    assert taken["Location"] == "/admin/"
    assert actions(user) == ["second_factor_refused"] * 4 + ["signed_in"]


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


def test_without_a_password_there_is_no_code_page(client: Client) -> None:
    for path in (CODE, SET_UP):
        assert client.get(path)["Location"] == "/admin/login/"
        assert client.post(path, {"code": "123456"})["Location"] == "/admin/login/"
    assert not TOTPDevice.objects.exists()


def test_keys_are_no_page_of_the_admin(client: Client) -> None:
    user = member(is_superuser=True)
    sign_in(client, user, with_app(user))

    for path in (
        "otp_totp/totpdevice/",
        "otp_totp/totpdevice/1/config/",
        "otp_static/staticdevice/",
    ):
        assert client.get(f"/admin/{path}").status_code == 404


# --- another app in place of the first


@pytest.mark.parametrize("signed_in", [False, True])
def test_nobody_replaces_the_app_without_a_code(client: Client, signed_in: bool) -> None:
    user = member()
    device = with_app(user)
    if signed_in:
        sign_in(client, user, device)
    else:
        give_password(client, user)

    seen = client.get(SET_UP)
    sent = client.post(SET_UP, {"code": "123456"})

    assert seen["Location"] == sent["Location"] == ("/admin/account/" if signed_in else CODE)
    assert TOTPDevice.objects.get() == device
    assert "second_factor_set" not in actions(user)


def test_with_a_code_another_app_takes_its_place(
    client: Client, still: time_machine.Traveller
) -> None:
    user = member()
    old = with_app(user)
    elsewhere = Client()
    sign_in(elsewhere, user, old)
    sign_in(client, user, old)
    still.shift(timedelta(minutes=1))

    allowed = client.post("/admin/account/new-app/", {"code": code_of(old)})
    new, codes = set_up(client, allowed["Location"])

    assert TOTPDevice.objects.get() == new
    assert is_in(client)
    assert not is_in(elsewhere)
    assert len(codes) == second_factor.RECOVERY_CODES
    assert actions(user)[-2:] == ["second_factor_set", "recovery_codes_made"]


def test_leave_to_replace_the_app_ends(client: Client, still: time_machine.Traveller) -> None:
    user = member()
    old = with_app(user)
    sign_in(client, user, old)
    still.shift(timedelta(minutes=1))
    allowed = client.post("/admin/account/new-app/", {"code": code_of(old)})
    client.get(allowed["Location"])

    still.shift(timedelta(minutes=11))
    answer = client.post(allowed["Location"], {"code": "123456"})

    assert answer["Location"] == "/admin/account/"
    assert second_factor.device_of(user) == old


def test_who_came_in_with_a_recovery_code_may_set_up_a_new_phone(client: Client) -> None:
    user = member()
    with_app(user)
    code = recovery_codes_of(user)[0]
    give_password(client, user)
    client.post(CODE, {"code": code})

    allowed = client.get("/admin/account/new-app/")
    new, _ = set_up(client, allowed["Location"])

    assert TOTPDevice.objects.get() == new


# --- two at once


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_a_code_sent_by_two_at_once_lets_one_in(kind: str) -> None:
    user = member()
    device = with_app(user)
    recovery = recovery_codes_of(user)[0].replace("-", "")
    code = code_of(device) if kind == "app" else recovery

    answers = race([lambda: second_factor.verify(user, code, actor="command:tests")] * 4)

    assert [answer.device for answer in answers].count(device) == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_keys_confirmed_at_once_one_is_taken() -> None:
    user = member()
    keys = [second_factor.begin_set_up(user) for _ in range(2)]

    def confirm(device: TOTPDevice) -> object:
        return second_factor.confirm(
            user, device.pk, code_of(device), replaces=False, actor="command:tests"
        )

    answers = race([lambda key=key: confirm(key) for key in keys])  # type: ignore[misc]

    assert sum(isinstance(answer, second_factor.AlreadySetUp) for answer in answers) == 1
    assert TOTPDevice.objects.filter(user=user).count() == 1
    assert second_factor.recovery_codes_left(user) == second_factor.RECOVERY_CODES
