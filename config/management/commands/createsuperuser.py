from __future__ import annotations

import os
from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from partners.models import AuditEvent
from partners.models.audit import command_actor

PASSWORD = "DJANGO_SUPERUSER_PASSWORD"  # noqa: S105  the name of Django's variable


class Command(createsuperuser.Command):
    """Django's command, which also validates a password from the environment, and is audited."""

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["interactive"] and PASSWORD in os.environ:
            try:
                validate_password(os.environ[PASSWORD])
            except ValidationError as faults:
                raise CommandError(" ".join([f"{PASSWORD}:", *faults.messages])) from faults
        newest = User.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        super().handle(*args, **options)
        for user in User.objects.filter(pk__gt=newest, is_superuser=True):
            AuditEvent.record("staff.added", user, reason="superuser", **command_actor())
