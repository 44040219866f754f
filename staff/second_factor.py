"""The second factor: an authenticator app, and recovery codes in case the phone is lost.

Both are devices of django-otp, which accepts each code once and makes the account wait
1, 2, 4, 8 … seconds after wrong codes. Only a digest of a recovery code is stored.
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

from partners.actor_context import ActorContext
from partners.models import AuditEvent
from staff import sessions

RECOVERY_CODES = 10
_CODE_BYTES = 10  # 80 bits: sixteen characters in base32
_DIGEST_BYTES = 12  # sixteen characters in base64, the size of django-otp's column
_GROUP = 4
# Enough time to install an app first.
_SET_UP_WITHIN = timedelta(hours=1)

_APP_CODE = re.compile(r"[0-9]{6}")
_RECOVERY_CODE = re.compile(r"[a-z2-7]{16}")


class AlreadySetUp(Exception):
    """The account has a second factor that this session has not passed."""


class NothingToSetUp(Exception):
    """The key to be confirmed no longer exists."""


@dataclass(frozen=True)
class Answer:
    """The outcome of a code: `device` if it was correct, seconds to `wait` if not checked."""

    device: TOTPDevice | None = None
    wait: int = 0


def is_passed(user: User | AnonymousUser) -> bool:
    """Return whether the session has passed the second factor, or does not need to."""
    return not settings.SECOND_FACTOR_REQUIRED or getattr(user, "otp_device", None) is not None


def device_of(user: User) -> TOTPDevice | None:
    """Return the account's authenticator app, or None if none is set up."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def recovery_codes_left(user: User) -> int:
    left: int = StaticToken.objects.filter(device__user=user).count()
    return left


def normalised(typed: str) -> str:
    """Return a code without spaces and dashes, or "" if it is not one."""
    code = re.sub(r"[\s-]+", "", typed).lower()
    return code if _APP_CODE.fullmatch(code) or _RECOVERY_CODE.fullmatch(code) else ""


def verify(user: User, code: str, **context: Unpack[ActorContext]) -> Answer:
    """Check a code from the app or a recovery code, which works once. Audited."""
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
            AuditEvent.record("staff.second_factor_refused", user, **context)
            return Answer()
        if kind is StaticDevice:
            AuditEvent.record("staff.recovery_code_used", user, **context)
        return Answer(device=app)


def begin_set_up(user: User) -> TOTPDevice:
    """Make a key that is not valid before `confirm`. Each session gets its own.

    If sessions shared it, a thief with the password could read the key before the owner's first
    sign-in and use it afterwards.
    """
    unconfirmed = TOTPDevice.objects.filter(user=user, confirmed=False)
    unconfirmed.filter(created_at__lt=timezone.now() - _SET_UP_WITHIN).delete()
    device: TOTPDevice = TOTPDevice.objects.create(user=user, name="app", confirmed=False)
    return device


def set_up_of(user: User, pk: object) -> TOTPDevice | None:
    """Return the key that this session is setting up, or None."""
    if not isinstance(pk, int):
        return None
    return TOTPDevice.objects.filter(user=user, pk=pk, confirmed=False).first()


def confirm(
    user: User, pk: int, code: str, *, replaces: bool, **context: Unpack[ActorContext]
) -> tuple[Answer, list[str]]:
    """Accept the new key if `code` belongs to it, and return new recovery codes.

    The key replaces any other. `replaces` says that this session has just passed the account's
    second factor. Audited. Raises AlreadySetUp if there is one and `replaces` is false, and
    NothingToSetUp if the key no longer exists.
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
            AuditEvent.record("staff.second_factor_refused", user, **context)
            return Answer(), []
        device.confirmed = True
        device.save(update_fields=["confirmed"])
        # Sessions that were verified with another key must now verify with this one.
        TOTPDevice.objects.filter(user=user).exclude(pk=device.pk).delete()
        AuditEvent.record("staff.second_factor_set", user, **context)
        return Answer(device=device), make_recovery_codes(user, **context)


def make_recovery_codes(user: User, **context: Unpack[ActorContext]) -> list[str]:
    """Replace the account's recovery codes. They cannot be shown again. Audited."""
    codes = [secrets.token_bytes(_CODE_BYTES) for _ in range(RECOVERY_CODES)]
    texts = [base64.b32encode(code).decode().lower() for code in codes]
    with transaction.atomic():
        _one_at_a_time(user)
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery codes", confirmed=True)
        StaticToken.objects.bulk_create(
            StaticToken(device=device, token=_digest(text)) for text in texts
        )
        AuditEvent.record("staff.recovery_codes_made", user, **context)
    return [in_groups(text, "-") for text in texts]


def reset(user: User, **context: Unpack[ActorContext]) -> bool:
    """Delete the account's second factor, recovery codes and sessions. Audited.

    The next sign-in sets up a new second factor. Returns False if there was none; the sessions
    end in any case.
    """
    with transaction.atomic():
        had: bool = TOTPDevice.objects.filter(user=user, confirmed=True).exists()
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        sessions.end_all(user)
        AuditEvent.record("staff.second_factor_reset", user, **context)
    return had


def key_text(device: TOTPDevice) -> str:
    """Return the key in the form that people type into an app."""
    return in_groups(base64.b32encode(device.bin_key).decode(), " ")


def in_groups(text: str, separator: str) -> str:
    """Split a code into groups of four, which are easier to read and type."""
    return separator.join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def _one_at_a_time(user: User) -> None:
    """Lock the account, so that two windows change its second factor one after the other."""
    User.objects.select_for_update().get(pk=user.pk)


def _seconds_to_wait(device: Any) -> int:
    allowed, why = device.verify_is_allowed()
    if allowed:
        return 0
    left: timedelta = why["locked_until"] - timezone.now()
    return max(1, math.ceil(left.total_seconds()))


def _digest(recovery_code: str) -> str:
    # A fast hash is enough: nobody can try out 80 random bits.
    digest = hashlib.sha256(recovery_code.encode()).digest()[:_DIGEST_BYTES]
    return base64.urlsafe_b64encode(digest).decode()
