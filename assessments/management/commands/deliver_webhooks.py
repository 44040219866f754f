import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from assessments.webhooks.sender import Deliverer
from partners.management.base import DataCommand


class Command(DataCommand):
    help = (
        "Deliver webhooks to partners until SIGTERM or SIGINT, then finish the running calls "
        "within 10 seconds. Several may run at once, on any machine. Fails if WEBHOOK_KEY is not "
        "set."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--once", action="store_true", help="deliver what is due now, print the counts and exit"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.WEBHOOK_KEY:
            raise CommandError("The setting WEBHOOK_KEY is empty, so webhooks can't be signed.")
        deliverer = Deliverer()
        if options["once"]:
            deliverer.run_once()
            if options["json"]:
                self.print_data(deliverer.counts)
            else:
                text = "delivered {delivered}, failed {failed}"
                self.stdout.write(text.format(**deliverer.counts))
            return
        stopping = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopping.set())
        self.say("Delivering webhooks.")
        deliverer.run(stopping)
        self.say("Stopped. Delivered {delivered}, failed {failed}.".format(**deliverer.counts))
