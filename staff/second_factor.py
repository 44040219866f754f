"""The second factor of staff: an authenticator app, and recovery codes for when it is lost.

Both are django-otp's devices. It takes each code once, and after a wrong one makes the account
wait 1, 2, 4, 8 … seconds. Of a recovery code only a digest is stored.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Unpack

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.models import AuditEvent
from partners.origin import Origin
from staff import sessions

RECOVERY_CODES = 10
_CODE_BYTES = 10  # 80 bits, in base32 sixteen letters and digits
_DIGEST_BYTES = 12  # in base64 as long as the column of django-otp
_GROUP = 4
# Long enough to install an app on a phone first.
_SET_UP_WITHIN = timedelta(hours=1)

_APP_CODE = re.compile(r"[0-9]{6}")
_RECOVERY_CODE = re.compile(r"[a-z2-7]{16}")


class AlreadySetUp(Exception):
    """The account has a second factor, and whoever asks has not shown it."""


class NothingToSetUp(Exception):
    """The key that was to be confirmed is no longer there."""


@dataclass(frozen=True)
class Answer:
    """What became of a typed code: `device` is set if it was right, `wait` if nobody looked."""

    device: TOTPDevice | None = None
    wait: int = 0


def is_passed(user: User | AnonymousUser) -> bool:
    """Tell whether the session has shown the second factor, or need not."""
    return not settings.SECOND_FACTOR_REQUIRED or getattr(user, "otp_device", None) is not None


def device_of(user: User) -> TOTPDevice | None:
    """Return the account's authenticator app, None before the first sign-in is through."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def recovery_codes_left(user: User) -> int:
    left: int = StaticToken.objects.filter(device__user=user).count()
    return left


def normalised(typed: str) -> str:
    """Return a code without the spaces and dashes that people type. "" for what is no code."""
    code = re.sub(r"[\s-]+", "", typed).lower()
    return code if _APP_CODE.fullmatch(code) or _RECOVERY_CODE.fullmatch(code) else ""


def verify(user: User, code: str, **origin: Unpack[Origin]) -> Answer:
    """Try a code of the app or a recovery code, which is used up by it. Audited."""
    with transaction.atomic():
        app = device_of(user)
        kind, text = TOTPDevice, code
        if _RECOVERY_CODE.fullmatch(code):
            kind, text = StaticDevice, _digest(code)
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        if app is None or device is None:
            return Answer()
        wait = _seconds_to_wait(device)
        if wait:
            return Answer(wait=wait)
        if not device.verify_token(text):
            AuditEvent.record("staff.second_factor_refused", user, **origin)
            return Answer()
        if kind is StaticDevice:
            AuditEvent.record("staff.recovery_code_used", user, **origin)
        return Answer(device=app)


def begin_set_up(user: User) -> TOTPDevice:
    """Make a key that counts for nothing until `confirm`. Each session has one of its own.

    Were it shared, somebody with a stolen password could look at the key before its owner's first
    sign-in, and have it afterwards.
    """
    unconfirmed = TOTPDevice.objects.filter(user=user, confirmed=False)
    unconfirmed.filter(created_at__lt=timezone.now() - _SET_UP_WITHIN).delete()
    device: TOTPDevice = TOTPDevice.objects.create(user=user, name="app", confirmed=False)
    return device


def set_up_of(user: User, pk: object) -> TOTPDevice | None:
    """Return the key that this session began to set up, None if it is gone."""
    if not isinstance(pk, int):
        return None
    return TOTPDevice.objects.filter(user=user, pk=pk, confirmed=False).first()


def confirm(
    user: User, pk: int, code: str, *, replaces: bool, **origin: Unpack[Origin]
) -> tuple[Answer, list[str]]:
    """Take the new key if `code` is its code, in place of any other; return its recovery codes.

    `replaces` says that the session has shown the account's second factor just now. Raise
    AlreadySetUp without it where there is one, NothingToSetUp if the key is gone. Audited.
    """
    with transaction.atomic():
        _one_at_a_time(user)
        if device_of(user) and not replaces:
            raise AlreadySetUp
        unconfirmed = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False)
        device = unconfirmed.filter(pk=pk).first()
        if device is None:
            raise NothingToSetUp
        wait = _seconds_to_wait(device)
        if wait:
            return Answer(wait=wait), []
        if not device.verify_token(code):
            AuditEvent.record("staff.second_factor_refused", user, **origin)
            return Answer(), []
        device.confirmed = True
        device.save(update_fields=["confirmed"])
        # Sessions that another key opened have to show the new one.
        TOTPDevice.objects.filter(user=user).exclude(pk=device.pk).delete()
        AuditEvent.record("staff.second_factor_set", user, **origin)
        return Answer(device=device), make_recovery_codes(user, **origin)


def make_recovery_codes(user: User, **origin: Unpack[Origin]) -> list[str]:
    """Replace the account's recovery codes. Nothing can show them again. Audited."""
    codes = [secrets.token_bytes(_CODE_BYTES) for _ in range(RECOVERY_CODES)]
    texts = [base64.b32encode(code).decode().lower() for code in codes]
    with transaction.atomic():
        _one_at_a_time(user)
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery codes", confirmed=True)
        StaticToken.objects.bulk_create(
            StaticToken(device=device, token=_digest(text)) for text in texts
        )
        AuditEvent.record("staff.recovery_codes_made", user, **origin)
    return [in_groups(text, "-") for text in texts]


def reset(user: User, **origin: Unpack[Origin]) -> bool:
    """Forget the account's second factor, recovery codes and sessions: the next sign-in sets anew.

    Return False if there was no second factor; sessions are ended all the same. Audited.
    """
    with transaction.atomic():
        had: bool = TOTPDevice.objects.filter(user=user, confirmed=True).exists()
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        sessions.end_all(user)
        AuditEvent.record("staff.second_factor_reset", user, **origin)
    return had


def key_text(device: TOTPDevice) -> str:
    """Return the key as an app takes it where a camera cannot read it."""
    return in_groups(base64.b32encode(device.bin_key).decode(), " ")


def in_groups(text: str, separator: str) -> str:
    """Break a long code into groups of four, which are easier to read and type."""
    return separator.join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def _one_at_a_time(user: User) -> None:
    """Lock the account, so that of two windows that set something the later sees the earlier."""
    User.objects.select_for_update().get(pk=user.pk)


def _seconds_to_wait(device: Any) -> int:
    allowed, why = device.verify_is_allowed()
    if allowed:
        return 0
    left: timedelta = why["locked_until"] - timezone.now()
    return max(1, math.ceil(left.total_seconds()))


def _digest(recovery_code: str) -> str:
    # A plain hash will do: there are 80 random bits in a code, which nobody can try out.
    digest = hashlib.sha256(recovery_code.encode()).digest()[:_DIGEST_BYTES]
    return base64.urlsafe_b64encode(digest).decode()
