from __future__ import annotations

import argparse
from datetime import date
from typing import Any

from django.core.management.base import CommandParser

from assessments.management.people import ProjectCommand
from assessments.support import exports
from partners.actor_context import command_actor


class Command(ProjectCommand):
    help = (
        "Print the finished attempts of a project, completed and abandoned, one a row, in the "
        "order of starting: as CSV that no spreadsheet executes (a text that begins like a "
        "formula gets an apostrophe before it), with --json as an array with every value as it "
        "is. Times are UTC. Of students who were erased there is neither name nor e-mail "
        "address. It is noted in the audit trail. The file holds personal data: keep it as you "
        "keep the database, and delete it when it has served."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--since",
            type=day,
            metavar="2026-06-01",
            help="only attempts that ended on that day (UTC) or later",
        )

    def handle(
        self, *args: Any, project_id: str, since: date | None, json: bool, **options: Any
    ) -> None:
        project = self.project(project_id)
        file: exports.Format = "json" if json else "csv"
        for piece in exports.results(project, file, since=since, **command_actor()):
            self.stdout.write(piece, ending="")


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is no date. One is 2026-06-01.") from None
