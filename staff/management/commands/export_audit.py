import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from assessments.models.feed import shown_until
from partners.models import AuditEvent

COLUMNS = {
    **{"id": "pk", "at": "at", "actor": "actor", "action": "action"},
    **{"objectType": "object_type", "objectId": "object_id", "projectId": "project__project_id"},
    **{"address": "address", "requestId": "request_id", "reason": "reason", "details": "details"},
}


class Command(BaseCommand):
    help = (
        "Print the audit trail as JSON lines, oldest first, for a copy that nobody can change "
        "here. Next time, give --from the last id plus one. Events of the last minute, and those "
        "behind an open transaction, come with a later call, so that none is missed. Times are "
        "UTC. Addresses of staff are personal data: protect the copy."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--from",
            dest="first",
            type=int,
            default=0,
            metavar="ID",
            help="only events with this id or a higher one",
        )

    def handle(self, *args: Any, first: int, **options: Any) -> None:
        events = AuditEvent.objects.filter(pk__gte=first, at__lt=shown_until()).order_by("pk")
        for row in events.values_list(*COLUMNS.values()).iterator():
            line = dict(zip(COLUMNS, row, strict=True))
            self.stdout.write(json.dumps(line, cls=DjangoJSONEncoder, ensure_ascii=False))
