"""The password page: who gets in, which page opens then, how often an address may try."""

import logging
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory

from partners.models import AuditEvent
from staff import sign_in_limits
from tests.assessments.faults import fault
from tests.staff.accounts import (
    CODE,
    LOGIN,
    PASSWORD,
    actions,
    code_of,
    give_password,
    is_in,
    member,
    with_app,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]

OFFICE, STRANGER = "192.0.2.7", "198.51.100.9"


@pytest.mark.usefixtures("required")
def test_between_password_and_code_no_page_opens_but_one_can_sign_out(client):
    user = member(is_superuser=True)
    with_app(user)

    answer = give_password(client, user)

    assert answer["Location"] == CODE
    for path in ("/admin/", "/admin/partners/project/", "/admin/account/", "/admin/onboard/"):
        for seen in (client.get(path), client.post(path, {"name": "x"})):
            assert seen.status_code == 302, path
            assert seen["Location"].startswith(LOGIN), path
    assert client.get(LOGIN)["Location"] == CODE
    assert actions(user) == []

    out = client.post("/admin/logout/")

    assert out["Location"] == f"{LOGIN}?ended=out"
    assert client.get(out["Location"]).context["ended"] == "You have signed out."
    assert not Session.objects.exists()
    assert actions(user) == ["signed_out"]


@pytest.mark.usefixtures("required")
def test_after_the_code_the_page_opens_that_was_asked_for(client):
    user = member(is_superuser=True)
    device = with_app(user)
    wanted = "/admin/partners/project/?q=a%20b"

    asked = client.get(wanted)
    password = client.post(asked["Location"], {"username": user.username, "password": PASSWORD})
    code = client.post(password["Location"], {"code": code_of(device)})

    assert code["Location"] == wanted
    again = client.get(code.request["PATH_INFO"], {"next": wanted})
    assert (again.status_code, again["Location"]) == (302, wanted)


@pytest.mark.parametrize(
    "wanted", ["https://evil.example/", "///evil.example", "/\\evil.example", "javascript:alert(1)"]
)
@pytest.mark.parametrize("in_form", [True, False])
def test_a_page_of_another_site_never_opens(client, wanted, in_form):
    form = {"username": member().username, "password": PASSWORD}

    if in_form:
        answer = client.post(LOGIN, {**form, "next": wanted})
    else:
        answer = client.post(LOGIN, form, query_params={"next": wanted})

    assert answer["Location"] == "/admin/"


@pytest.mark.parametrize(
    "values",
    [{}, {"is_active": False}, {"is_staff": False}, None],
    ids=["wrong password", "inactive", "not staff", "unknown"],
)
def test_every_refusal_reads_the_same(client, values):
    user = member(**values) if values is not None else User(username="nobody")
    password = "not-the-password" if values in ({}, None) else PASSWORD

    answer = give_password(client, user, password)

    page = answer.content.decode().replace(user.username, "NAME")
    assert answer.status_code == 200
    assert "Please enter the correct username and password" in page
    assert not is_in(client)
    events = AuditEvent.objects.values_list("action", "actor")
    assert list(events) == [("staff.sign_in_refused", "unknown")] * (values is not None)


def test_an_unknown_user_name_is_stored_nowhere(client, caplog):
    member()
    caplog.set_level(logging.DEBUG)

    for _ in range(7):
        give_password(client, User(username="MyOwnPassword!"), "x")

    assert not AuditEvent.objects.exists()
    assert not Session.objects.exists()
    assert "MyOwnPassword!" not in caplog.text


def test_a_hostile_form_is_refused(client):
    for form in (
        {"username": "a\0b", "password": "x"},
        {"username": "a", "password": "x\0y"},
        {"username": "a" * 100_000, "password": "x"},
        {"username": ["a", "b"], "password": ["x", "y"]},
    ):
        answer = client.post(LOGIN, form)
        assert answer.status_code == 200
        assert answer.context["form"].errors
    assert not Session.objects.exists()


def guess(user, times=1):
    """Try a wrong password from a browser without cookies; return the last answer."""
    guesses = (give_password(Client(), user, "wrong", REMOTE_ADDR=STRANGER) for _ in range(times))
    return list(guesses)[-1]


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("exists", [True, False])
def test_after_ten_failures_an_address_waits_and_nothing_is_hashed(exists, monkeypatch):
    user = member() if exists else User(username="nobody")
    for number in range(5):
        guess(user)
        assert guess(User(username=f"name-{number}")).status_code == 200
    monkeypatch.delattr(ModelBackend, "authenticate")

    answer = guess(user)

    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert actions(user) == (["sign_in_refused"] * 5 if exists else [])


def test_the_right_password_waits_too_and_only_where_wrong_ones_were_tried(still):
    user = member()
    guess(user, times=10)
    for _ in range(11):
        elsewhere = give_password(Client(), user, REMOTE_ADDR=OFFICE)

    refused = give_password(Client(), user, REMOTE_ADDR=STRANGER)
    still.shift(timedelta(minutes=1))
    taken = give_password(Client(), user, REMOTE_ADDR=STRANGER)

    assert [answer.status_code for answer in (elsewhere, refused, taken)] == [302, 429, 302]


@pytest.mark.usefixtures("still")
def test_a_known_browser_is_not_locked_out_by_others_at_its_address_but_by_itself(client):
    user = member()
    give_password(client, user, REMOTE_ADDR=STRANGER)
    client.post("/admin/logout/")
    guess(user, times=10)

    known = give_password(client, user, REMOTE_ADDR=STRANGER)
    client.post("/admin/logout/")
    for _ in range(10):
        give_password(client, user, "wrong", REMOTE_ADDR=STRANGER)
    itself = give_password(client, user, REMOTE_ADDR=OFFICE)
    other = Client()
    other.cookies[settings.STAFF_BROWSER_COOKIE_NAME] = "made up"
    stranger = give_password(other, user, REMOTE_ADDR=STRANGER)

    assert [answer.status_code for answer in (known, itself, stranger)] == [302, 429, 429]


@pytest.mark.parametrize("is_known", [False, True])
def test_while_strangers_hash_others_are_refused_but_a_known_browser_signs_in(
    client, is_known, monkeypatch
):
    user = member()
    if is_known:
        give_password(client, user)
        client.post("/admin/logout/")
    with ExitStack() as busy:
        for _ in range(2):  # one that hashes, one that waits
            busy.enter_context(sign_in_limits.turn_to_hash(RequestFactory().post(LOGIN)))
            monkeypatch.setattr(sign_in_limits, "MAX_WAIT", 0.01)
        answer = give_password(client, user)

    assert answer.status_code == (302 if is_known else 429)
    assert is_in(client) is is_known
    assert give_password(Client(), user).status_code == 302


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("required", "still")
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_nobody_is_in_without_an_audit_event_whichever_sql_statement_fails(after):
    for number in range(1, 100):
        device = with_app(member())
        browser = Client(raise_request_exception=False)

        with fault(number, after=after) as strike:
            answers = [
                give_password(browser, device.user),
                browser.post(CODE, {"code": code_of(device)}),
            ]

        if not strike.has_struck:
            break
        statuses = {answer.status_code for answer in answers}
        assert {400, 500} & statuses, (strike.statement, statuses)
        if is_in(browser):
            assert "signed_in" in actions(device.user), strike.statement
    assert number > (8 if after else 20)
    assert actions(device.user) == ["signed_in"]
