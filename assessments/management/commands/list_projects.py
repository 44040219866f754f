from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from partners.management.base import DataCommand
from partners.models import Project
from tokens.models import AccessToken


class Command(DataCommand):
    help = (
        "List the projects, or those with a text in their or their partner's name, with how many "
        "courses are active and how many tokens work. States: open; closed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("text", metavar="TEXT", nargs="?", default="")

    def handle(self, *, text: str, json: bool, **options: Any) -> None:
        projects = list(_counted(text))
        if json:
            self.print_data([_as_data(project) for project in projects])
            return
        if not projects:
            self.say("There is no such project. Create one with onboard_partner.")
            return
        row = "{:20}  {:12}  {:>7}  {:>6}  {}".format
        self.say(row("project", "state", "courses", "tokens", "name"))
        for project in projects:
            data = _as_data(project)
            state = f"{data['state']}{', test' if project.is_test else ''}"
            name = f"{project.name}, {project.partner.name}"
            counts = (data["activeCourses"], data["liveTokens"])
            self.stdout.write(row(project.project_id, state, *counts, name))


def _counted(text: str) -> Any:
    live = AccessToken.objects.live(timezone.now()).filter(project=OuterRef("pk")).order_by()
    tokens = live.values("project").annotate(n=Count("pk")).values("n")
    active = Project.objects.filter(pk=OuterRef("pk"), courses__is_active=True).order_by()
    courses = active.values("pk").annotate(n=Count("courses")).values("n")
    return Project.objects.search(text).annotate(
        active_courses=Coalesce(Subquery(courses), 0, output_field=IntegerField()),
        live_tokens=Coalesce(Subquery(tokens), 0, output_field=IntegerField()),
    )


def _as_data(project: Any) -> dict[str, Any]:
    """Return what the command prints; tokens of a closed project don't work."""
    return {
        "projectId": project.project_id,
        "name": project.name,
        "partner": project.partner.name,
        "state": "closed" if project.is_closed else "open",
        "isTest": project.is_test,
        "closedAt": project.closed_at,
        "activeCourses": project.active_courses,
        "liveTokens": 0 if project.is_closed else project.live_tokens,
    }
