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

from partners.models import AuditEvent, command_actor

PASSWORD = "DJANGO_SUPERUSER_PASSWORD"  # noqa: S105  the name of Django's variable


class Command(createsuperuser.Command):
    """Django's command, audited, which refuses weak passwords.

    Django's own prompt offers to keep a weak password, so `changepassword` asks instead. It takes
    any password from the environment, so that one is validated here.
    """

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options | {"interactive": False})
        name = options["username"] or os.environ["DJANGO_SUPERUSER_USERNAME"]
        user = User.objects.get_by_natural_key(name)
        AuditEvent.record("staff.added", user, by=command_actor(), reason="superuser")
        if PASSWORD in os.environ:
            try:
                validate_password(os.environ[PASSWORD], user)
            except ValidationError as faults:
                raise CommandError(" ".join([f"{PASSWORD}:", *faults.messages])) from faults
        elif options["interactive"] and sys.stdin.isatty():
            call_command("changepassword", name, stdout=self.stdout)
