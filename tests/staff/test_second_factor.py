"""The second factor: set-up, a code at each sign-in, recovery codes, another app, a reset."""

import io
import logging
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.models import AuditEvent
from staff import second_factor
from staff.second_factor import RECOVERY_CODES
from tests.factories import BY
from tests.staff.accounts import (
    CODE,
    SET_UP,
    actions,
    code_of,
    codes_on,
    give_password,
    is_in,
    member,
    new_app,
    set_up,
    sign_in,
    with_app,
    wrong_code_of,
)
from tests.support.threads import race

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("required", "still")]


@pytest.fixture
def user(required, still):
    return member()


@pytest.fixture
def device(user):
    return with_app(user)


def new_recovery_codes(user):
    return second_factor.make_recovery_codes(user, by=BY)


def test_the_first_sign_in_sets_up_an_app_and_shows_recovery_codes_once(client, user, caplog):
    caplog.set_level(logging.DEBUG)
    first = client.get(give_password(client, user)["Location"], follow=True)
    app, text, before = new_app(client), first.content.decode(), client.session.session_key
    assert first.redirect_chain[-1][0] == SET_UP
    assert "<svg" in text and "style=" not in text
    assert not TOTPDevice.objects.exists()
    assert not is_in(client)

    answer = client.post(SET_UP, {"code": code_of(app)})

    codes, session = codes_on(answer), str(dict(client.session.items()))
    stored = " ".join(StaticToken.objects.values_list("token", flat=True))
    assert TOTPDevice.objects.get().confirmed
    assert is_in(client)
    assert client.session.session_key != before
    assert len(set(codes)) == StaticToken.objects.count() == RECOVERY_CODES
    assert "no-store" in answer["Cache-Control"]
    for code in codes:
        assert len(code.replace("-", "")) * 5 == 80
        assert code.replace("-", "") not in stored + session
        assert code not in caplog.text
    assert app.key not in session + caplog.text
    assert actions(user) == ["second_factor_set", "recovery_codes_made", "signed_in"]


def test_without_a_right_code_nothing_is_set_up_and_the_key_stays(client, user):
    give_password(client, user)
    app = new_app(client)
    for typed in (wrong_code_of(app), "", "12", "12345\0", "１２３４５６", "9" * 500):
        answer = client.post(SET_UP, {"code": typed})
        assert (answer.status_code, "errorlist" in answer.content.decode()) == (200, True), typed
        assert new_app(client).key == app.key
    assert not TOTPDevice.objects.exists()
    assert not is_in(client)
    assert actions(user) == ["second_factor_refused"]


def test_of_two_first_sign_ins_one_sets_up_its_key_with_a_code_that_works_once(client, user):
    slower = Client()
    give_password(slower, user)
    late = new_app(slower)
    give_password(client, user)

    device, _ = set_up(client)
    answer = slower.post(SET_UP, {"code": code_of(late)})
    slower.post(CODE, {"code": code_of(device)})

    assert late.key != device.key
    assert answer["Location"] == CODE
    assert not is_in(slower)
    assert TOTPDevice.objects.get() == device


def test_a_code_of_the_app_lets_in_once(client, user, device):
    watcher = Client()
    for browser in (client, watcher):
        give_password(browser, user)
    before = client.session.session_key

    answer = client.post(CODE, {"code": f"{code_of(device)[:3]} {code_of(device)[3:]}"})
    replay = watcher.post(CODE, {"code": code_of(device)})

    assert answer["Location"] == "/admin/"
    assert client.session.session_key != before
    assert "was already used" in replay.content.decode()
    assert (is_in(client), is_in(watcher)) == (True, False)
    assert actions(user) == ["signed_in", "second_factor_refused"]


@pytest.mark.parametrize("written", [str, str.upper, lambda code: code.replace("-", " ")])
@pytest.mark.usefixtures("device")
def test_a_recovery_code_lets_in_once(client, user, written):
    code, again = written(new_recovery_codes(user)[4]), Client()

    for browser in (client, again):
        give_password(browser, user)
        browser.post(CODE, {"code": code})

    assert "9 of 10 left" in client.get("/admin/account/").content.decode()
    assert not is_in(again)
    after = ["recovery_code_used", "signed_in", "second_factor_refused"]
    assert actions(user) == ["recovery_codes_made", *after]


@pytest.mark.usefixtures("device")
def test_a_colleagues_codes_and_the_digest_of_a_recovery_code_are_refused(client, user, still):
    colleague = member()
    new_recovery_codes(user)
    digests = list(StaticToken.objects.values_list("token", flat=True))
    theirs = [code_of(with_app(colleague)), new_recovery_codes(colleague)[0]]
    give_password(client, user)

    for code in (*theirs, *digests):
        client.post(CODE, {"code": code})
        assert not is_in(client)
        still.shift(timedelta(hours=1))  # no code is refused only because it came too soon
        give_password(client, user)

    assert StaticToken.objects.filter(device__user=colleague).count() == RECOVERY_CODES


def test_after_a_wrong_code_the_next_one_comes_too_soon(client, user, device, still):
    give_password(client, user)
    client.post(CODE, {"code": wrong_code_of(device)})

    client.post(CODE, {"code": code_of(device)})
    assert not is_in(client)

    still.shift(timedelta(seconds=2))
    client.post(CODE, {"code": code_of(device)})
    assert is_in(client)
    assert actions(user) == ["second_factor_refused"] * 2 + ["signed_in"]


def test_nobody_replaces_the_app_without_a_code_of_it(client, user, device):
    sign_in(client, user, device)
    app = new_app(client)
    for present in ("", "123456", "a" * 16, code_of(app)):
        client.post(SET_UP, {"code": code_of(app), "present": present})
        assert TOTPDevice.objects.get() == device
    assert "second_factor_set" not in actions(user)


def test_new_recovery_codes_take_a_code_and_end_the_old_ones(client, user, device, still):
    new_recovery_codes(user)
    old = set(StaticToken.objects.values_list("token", flat=True))
    sign_in(client, user, device)
    still.shift(timedelta(minutes=1))
    form = {"code": code_of(device)}

    answer, replay = (client.post("/admin/account/recovery-codes/", form) for _ in range(2))

    assert len(codes_on(answer)) == RECOVERY_CODES
    assert "no-store" in answer["Cache-Control"]
    assert old.isdisjoint(StaticToken.objects.values_list("token", flat=True))
    assert "codes" not in (replay.context or {})
    assert actions(user).count("recovery_codes_made") == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_a_code_sent_by_four_at_once_lets_one_in(user, device, kind):
    recovery = new_recovery_codes(user)[0].replace("-", "")
    code = code_of(device) if kind == "app" else recovery

    answers = race([lambda: second_factor.verify(user, code, by=BY)] * 4)

    assert answers.count(device) == 1


def test_a_reset_deletes_app_codes_and_sessions(client, user):
    others = Client()
    for browser, who in ((others, member()), (client, user)):
        give_password(browser, who)
        set_up(browser)

    call_command("reset_second_factor", user.username, "--yes", stderr=io.StringIO())

    assert not TOTPDevice.objects.filter(user=user).exists()
    assert not StaticToken.objects.filter(device__user=user).exists()
    assert (is_in(client), is_in(others)) == (False, True)
    assert actions(user)[-1] == "second_factor_reset"
    assert AuditEvent.objects.about(user).newest_first()[0].actor.startswith("command:")
    give_password(client, user)
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == SET_UP
