from __future__ import annotations

import os
import sys
from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction

from partners.models import AuditEvent
from partners.models.audit import command_actor

VARIABLE = "DJANGO_SUPERUSER_{}"  # the names of Django's variables
PASSWORD = VARIABLE.format("PASSWORD")


class Command(createsuperuser.Command):
    """Django's command, audited, without a way to keep a weak password.

    Django lets people keep one when it asks for the password, so `changepassword` asks instead. It
    also takes any password from the environment.
    """

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        asks = options["interactive"] and sys.stdin.isatty()
        if asks:
            options["interactive"] = False
            try:
                for name in ("username", "email"):
                    if options[name] is None:
                        options[name] = input(f"{name.capitalize()}: ")
            except (KeyboardInterrupt, EOFError):
                raise CommandError("Cancelled. Nothing was created.") from None
        if PASSWORD in os.environ:
            _refuse_weak(options)
        newest = User.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        super().handle(*args, **options)
        for user in User.objects.filter(pk__gt=newest, is_superuser=True):
            AuditEvent.record("staff.added", user, reason="superuser", **command_actor())
            if asks and PASSWORD not in os.environ:
                call_command("changepassword", user.username, stdout=self.stdout)


def _refuse_weak(options: dict[str, Any]) -> None:
    names = {
        name: options[name] or os.environ.get(VARIABLE.format(name.upper()), "")
        for name in ("username", "email")
    }
    try:
        validate_password(os.environ[PASSWORD], User(**names))
    except ValidationError as faults:
        raise CommandError(" ".join([f"{PASSWORD}:", *faults.messages])) from faults
