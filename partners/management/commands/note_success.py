from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from partners.models import LastSuccess
from partners.models.last_successes import BACKUP


class Command(BaseCommand):
    help = (
        "Record that a task outside this service, the backup, succeeded now. Its systemd unit "
        "runs this by OnSuccess=."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", choices=[BACKUP])

    def handle(self, *args: Any, task: str, **options: Any) -> None:
        LastSuccess.objects.note(task)
