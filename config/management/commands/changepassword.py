import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.contrib.auth.models import User

from partners.models import AuditEvent, command_actor


class Command(changepassword.Command):
    """Django's command, audited."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        said = super().handle(*args, **options)
        user = User.objects.get_by_natural_key(options["username"] or getpass.getuser())
        AuditEvent.record("staff.password_changed", user, by=command_actor())
        return said
