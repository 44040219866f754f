"""Every SQL statement of the sign-in fails once: nobody is in whom the audit trail lacks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.assessments.faults import Fault, fault
from tests.staff.codes import CODE, actions, code_of, give_password, is_in, member, with_app

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("required", "still"),
]


def faulty_sign_in(
    browser: Client, device: TOTPDevice, number: int, *, after: bool
) -> tuple[Fault, list[Any]]:
    """Give password and code while one statement fails; return what was answered."""
    with fault(number, after=after) as strike:
        answers = [
            give_password(browser, device.user),
            browser.post(CODE, {"code": code_of(device)}),
        ]
    return strike, answers


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_every_sign_in_is_in_the_audit_trail(after: bool) -> None:
    for number in range(1, 100):
        device = with_app(member())
        browser = Client(raise_request_exception=False)

        strike, answers = faulty_sign_in(browser, device, number, after=after)

        if not strike.has_struck:
            break
        statuses = [answer.status_code for answer in answers]
        assert {400, 500} & set(statuses), (strike.statement, statuses)
        assert "gone away" not in str([answer.content for answer in answers])
        if is_in(browser):
            assert "signed_in" in actions(device.user), strike.statement
    assert number > (8 if after else 20)
    assert is_in(browser)
    assert actions(device.user) == ["signed_in"]
