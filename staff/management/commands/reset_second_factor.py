from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError, CommandParser

from partners.management.base import DataCommand
from partners.origin import of_command
from staff import second_factor


class Command(DataCommand):
    help = (
        "Forget the second factor of a member of staff who has lost phone and recovery codes: the "
        "app's key and the codes end, and so does every session of the account. The next sign-in "
        "with the password sets up a new one, so first make sure that it is really they who ask. "
        "Asks first, unless --yes is given."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("username", metavar="USERNAME", help="as they type it at sign-in")
        parser.add_argument("--yes", action="store_true", help="Do not ask.")

    def handle(self, *, username: str, yes: bool, json: bool, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(username)
        except User.DoesNotExist as error:
            raise CommandError("There is no such account. Capital letters count.") from error
        if not yes:
            self.confirm(f"Forget the second factor of {username} and end their sessions?")
        had = second_factor.reset(user, **of_command())
        if json:
            self.print_data({"username": username, "hadSecondFactor": had})
        if had:
            self.say(f"{username} has no second factor now. The next sign-in sets up a new one.")
        else:
            self.say(f"{username} had no second factor. Their sessions are ended all the same.")
