from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError, CommandParser

from partners.management.base import DataCommand
from staff import second_factor


class Command(DataCommand):
    help = (
        "Reset the second factor of a member of staff who has lost both phone and recovery codes. "
        "Their app and codes stop working, and their sessions end. The next sign-in with the "
        "password sets up a new one, so check first that the request really comes from them. Asks "
        "first, unless you give --yes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "username", metavar="USERNAME", help="the user name, as typed at sign-in"
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, username: str, yes: bool, json: bool, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(username)
        except User.DoesNotExist as error:
            raise CommandError(
                "There is no such account. User names are case-sensitive."
            ) from error
        if not yes:
            self.confirm(f"Reset the second factor of {username} and end their sessions?")
        had = second_factor.reset(user, by=self.by)
        if json:
            self.print_data({"username": username, "hadSecondFactor": had})
        if had:
            self.say(
                f"The second factor of {username} was reset. The next sign-in sets up a new one."
            )
        else:
            self.say(f"{username} had no second factor. Their sessions were ended.")
