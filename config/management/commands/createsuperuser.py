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

PASSWORD = "DJANGO_SUPERUSER_PASSWORD"  # noqa: S105  the name of Django's variable


class Command(createsuperuser.Command):
    """Django's command, audited, without a way to keep a weak password.

    Django lets people keep one when it asks for the password, so `changepassword` asks instead. It
    also takes any password from the environment.
    """

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        asks = options["interactive"]
        if asks and not sys.stdin.isatty():
            raise CommandError(f"There is no terminal to ask at. Use --noinput and {PASSWORD}.")
        for name in ("username", "email"):
            if options[name] is None:
                options[name] = os.environ.get(f"DJANGO_SUPERUSER_{name.upper()}")
            if options[name] is None and asks:
                try:
                    options[name] = input(f"{name.capitalize()}: ")
                except (KeyboardInterrupt, EOFError):
                    raise CommandError("Cancelled. Nothing was created.") from None
        username, email = options["username"], options["email"]
        if PASSWORD in os.environ:
            try:
                owner = User(username=username or "", email=email or "")
                validate_password(os.environ[PASSWORD], owner)
            except ValidationError as faults:
                raise CommandError(" ".join([f"{PASSWORD}:", *faults.messages])) from faults
        super().handle(*args, **{**options, "interactive": False})
        user = User.objects.get_by_natural_key(username)
        AuditEvent.record("staff.added", user, reason="superuser", **command_actor())
        if asks and PASSWORD not in os.environ:
            call_command("changepassword", username, stdout=self.stdout)
