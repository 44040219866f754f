from __future__ import annotations

import sys
from typing import Any

from django.conf import settings

from assessments.desk.attention import attention
from partners.management.base import DataCommand


class Command(DataCommand):
    help = (
        "List what needs attention, as the first page of the admin does: timers and backups that "
        "have not succeeded, projects that don't work or soon won't, and many refused calls. Exits "
        "with 1 if there is something."
    )

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        found = [
            {
                "kind": finding.kind,
                "says": finding.says,
                "act": finding.act,
                "address": f"{settings.APP_URL}{finding.address}" if finding.address else "",
                "projectId": finding.project_id,
            }
            for finding in attention()
        ]
        if json:
            self.print_data(found)
        else:
            for each in found:
                address = f": {each['address']}" if each["address"] else ""
                self.stdout.write(f"{each['says']} {each['act']}{address}")
        if found:
            sys.exit(1)
        self.say("Nothing needs attention.")
