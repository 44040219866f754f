"""The second factor: an authenticator app, and recovery codes in case the phone is lost.

Both are devices of django-otp, which accepts a code once and makes an account wait 1, 2, 4, 8 …
seconds after wrong ones. Of a recovery code only a digest is stored.
"""

import base64
import hashlib
import re
import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.models import Actor, AuditEvent
from staff import sessions

RECOVERY_CODES = 10
_CODE_BYTES = 10  # 80 bits: sixteen characters in base32
_DIGEST_BYTES = 12  # sixteen characters in base64, the size of django-otp's column


def device_of(user: User) -> TOTPDevice | None:
    return TOTPDevice.objects.filter(user=user).first()


def verify(user: User, code: str, *, by: Actor) -> TOTPDevice | None:
    """Return the account's app if this is a code of it or a recovery code, else None. Audited."""
    is_recovery = len(code) > 6
    devices = (StaticDevice if is_recovery else TOTPDevice).objects.select_for_update()
    with transaction.atomic():
        app, device = device_of(user), devices.filter(user=user).first()
        if app is None or device is None:
            return None
        if not device.verify_token(_digest(code) if is_recovery else code):
            AuditEvent.record("staff.second_factor_refused", user, by=by)
            return None
        if is_recovery:
            AuditEvent.record("staff.recovery_code_used", user, by=by)
        return app


def belongs_to(key: str, code: str) -> bool:
    """Return whether an app with this key shows the code."""
    return code.isdigit() and bool(TOTP(bytes.fromhex(key)).verify(int(code), tolerance=1))


def set_up(device: TOTPDevice, code: str, *, by: Actor, replaces: bool) -> list[str]:
    """Save a new app, which showed the code. Return recovery codes; none if another came first."""
    with transaction.atomic():
        # Two windows change the second factor of an account one after the other.
        user = User.objects.select_for_update().get(pk=device.user.pk)
        if device_of(user) and not replaces:
            return []
        # Sessions that were verified with another key must now verify with this one.
        TOTPDevice.objects.filter(user=user).delete()
        device.save()
        device.verify_token(code)  # so that the code works no second time
        AuditEvent.record("staff.second_factor_set", user, by=by)
        return make_recovery_codes(user, by=by)


def make_recovery_codes(user: User, *, by: Actor) -> list[str]:
    """Replace the account's recovery codes, which cannot be shown again. Audited."""
    codes = [secrets.token_bytes(_CODE_BYTES) for _ in range(RECOVERY_CODES)]
    texts = [base64.b32encode(code).decode().lower() for code in codes]
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery codes")
        StaticToken.objects.bulk_create(
            StaticToken(device=device, token=_digest(text)) for text in texts
        )
        AuditEvent.record("staff.recovery_codes_made", user, by=by)
    return [in_groups(text, "-") for text in texts]


def reset(user: User, *, by: Actor) -> bool:
    """Delete second factor, recovery codes and sessions. Return whether it had one. Audited."""
    with transaction.atomic():
        had = device_of(user) is not None
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        sessions.end_all(user)
        AuditEvent.record("staff.second_factor_reset", user, by=by)
    return had


def in_groups(text: str, separator: str) -> str:
    return separator.join(re.findall("....", text))


def _digest(recovery_code: str) -> str:
    # A fast hash is enough: nobody can try out 80 random bits.
    digest = hashlib.sha256(recovery_code.encode()).digest()[:_DIGEST_BYTES]
    return base64.urlsafe_b64encode(digest).decode()
