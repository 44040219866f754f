import csv
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessments.keeping import answers_export
from assessments.models import ItemBank
from partners.models import command_actor


class Command(BaseCommand):
    help = (
        "Print the answers of all ended attempts as CSV, one question per row, for python -m lab. "
        "The file names no student, project or partner and has no dates. Each export numbers the "
        "attempts anew at random. Test projects and erased students are left out. Recorded in the "
        "audit trail. The answers are still data about people: delete the file after the analysis."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--bank", metavar="VERSION", help="only attempts on this bank; default: on all"
        )

    def handle(self, *args: Any, bank: str | None, **options: Any) -> None:
        banks = list(ItemBank.objects.filter(version=bank) if bank else ItemBank.objects.all())
        if not banks:
            raise CommandError(f"There is no bank {bank}." if bank else "There is no bank yet.")
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(answers_export.COLUMNS)
        writer.writerows(answers_export.answers(banks, by=command_actor()))
