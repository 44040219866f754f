from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from django.conf import settings

from assessments.support.attention import Finding, attention
from partners.management.base import DataCommand


class Command(DataCommand):
    help = (
        "List what needs attention, as the first page of the admin does: tokens that end within 14 "
        "days or were never used, rotations that can end, projects without courses or with "
        "proposed fields, webhooks that were switched off, unusually many refused calls, partners "
        "gone quiet, timers and backups that have not succeeded, and an archive that is behind. "
        "Exits with 1 if there is something."
    )

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        found = attention()
        if json:
            self.print_data([_as_data(finding) for finding in found])
        else:
            for finding in found:
                self.stdout.write(f"{finding.says} {finding.act}{_where(finding)}")
        if found:
            sys.exit(1)
        self.say("Nothing needs attention.")


def _where(finding: Finding) -> str:
    return f": {settings.APP_URL}{finding.address}" if finding.address else ""


def _as_data(finding: Finding) -> dict[str, str]:
    data = asdict(finding)
    return {
        "kind": data["kind"],
        "says": data["says"],
        "act": data["act"],
        "address": f"{settings.APP_URL}{finding.address}" if finding.address else "",
        "projectId": data["project_id"],
    }
