import io
import os
import socket
import sys
from ipaddress import IPv4Address
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.views.decorators.debug import sensitive_variables

from assessments.made_up.demo import examples

HOST = "127.0.0.1"
PORT = 8000


def own_address() -> str:
    """Return the address from which this machine reaches others. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:  # without a network
            return HOST
        return str(probe.getsockname()[0])


class Command(BaseCommand):
    help = (
        "Try the service on this machine without any settings: create an SQLite database with a "
        "partner, a live and a test project, their courses, thirty students and a staff account, "
        "print the addresses, and serve until Ctrl-C. Each start revokes the previous demo tokens "
        "and makes new ones, a link and a password. Everything is in var/; delete that folder to "
        "start again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port",
            type=int,
            default=os.environ.get("PORT") or "0",
            help=f"port to serve on (PORT from the environment, or {PORT})",
        )
        parser.add_argument(
            "--host",
            type=IPv4Address,
            default=HOST,
            help=f"address to serve on ({HOST}); with this machine's network address, such as "
            "192.168.1.20, a phone can open the link",
        )
        parser.add_argument("--no-serve", action="store_true", help="stop before serving")

    @sensitive_variables()
    def handle(
        self, *args: Any, port: int, host: IPv4Address | str, no_serve: bool, **options: Any
    ) -> None:
        if settings.MODE != "demo":
            raise CommandError("Run it as: python manage.py demo")
        if IPv4Address(host).is_unspecified:
            raise CommandError(
                f"{host} is no address that a browser can open. Give this machine's: "
                f"--host {own_address()}."
            )
        port = port or PORT
        if not no_serve:
            try:
                socket.create_server((str(host), port)).close()
            except (OSError, OverflowError) as error:
                raise CommandError(
                    f"Port {port} can't be used at {host} ({error}). Try another --port."
                ) from error
        # One process, one address: links are issued here and opened at the server started below.
        settings.APP_URL = os.environ["APP_URL"] = f"http://{host}:{port}"
        call_command("migrate", verbosity=0)
        call_command("load_items", stderr=io.StringIO())
        to_open, to_paste = examples()
        for title, text in to_open.items():
            self.stdout.write(f"{self.style.MIGRATE_HEADING(title):<22} {text}")
        for title, text in to_paste.items():
            self.stdout.write(f"\n{self.style.MIGRATE_HEADING(title)}\n  {text}")
        if not IPv4Address(host).is_loopback:
            self.stdout.write(
                "\nEverybody in your network can open this demo, without encryption, and sign in "
                "with the password above. Stop it when you have seen enough."
            )
        if no_serve:
            return
        self.stdout.write(f"\nServing on {settings.APP_URL} until you press Ctrl-C.\n")
        self.stdout.flush()
        gunicorn = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"{host}:{port}"]
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, gunicorn)  # noqa: S606  # becomes the server that ships
