from __future__ import annotations

import io
import json
import os
import secrets
import shlex
import socket
import sys
from datetime import datetime
from ipaddress import IPv4Address
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.catalogue.course_rows import parse
from assessments.desk.onboarding import onboard
from assessments.made_up.demo_students import finished_result, seed
from assessments.models.links import AssessmentLink
from partners.models import Project
from partners.models.audit import Actor, command_actor
from tokens.models import AccessToken

HOST = "127.0.0.1"
PORT = 8000
LABEL = "demo"
STAFF_NAME = "demo"
# As in the examples of the reference.
STUDENT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43201"}
PARTNER, PROJECT, TEST_PROJECT = "Demo Partner", "Sahyadri College", "Sahyadri College, tests"
COURSES = settings.BASE_DIR / "assessments" / "made_up" / "courses.csv"


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
        port = port or PORT
        if not no_serve:
            refuse_if_taken(str(host), port)
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


def refuse_if_taken(host: str, port: int) -> None:
    try:
        socket.create_server((host, port)).close()
    except (OSError, OverflowError) as error:
        raise CommandError(
            f"Port {port} can't be used at {host} ({error}). Try another --port."
        ) from error


@sensitive_variables()
def examples() -> tuple[dict[str, str], dict[str, str]]:
    """Create what the demo shows. Return what to open and what to paste, by title."""
    at = timezone.now()
    by = command_actor()
    project = demo_project(PROJECT, at, by=by)
    token, secret = fresh_token(project, at, by=by)
    test_project = demo_project(TEST_PROJECT, at, by=by, is_test=True)
    test_token, test_secret = fresh_token(test_project, at, by=by)
    seed(project, token, at)
    _, link_token = AssessmentLink.objects.issue(project, **STUDENT, access_token=token, at=at)
    user, _ = User.objects.get_or_create(username=STAFF_NAME)
    user.is_staff = user.is_superuser = user.is_active = True
    password = secrets.token_urlsafe(12)
    user.set_password(password)
    user.save()
    to_open = {
        "A finished result:": finished_result(project, at),
        "A fresh link:": AssessmentLink.url(project, link_token),
        "The admin:": f"{settings.APP_URL}/admin/  user: {STAFF_NAME}  password: {password}",
        "For partners:": f"{settings.APP_URL}/docs/",
    }
    credential = f"{token.token_id}:{secret}"
    test_credential = f"{test_token.token_id}:{test_secret}"
    results = {"projectId": project.project_id, "email": STUDENT["email"]}
    tested = {"projectId": test_project.project_id, "email": "completed@example.com"}
    return to_open, {
        "Request a link as a partner's backend:": curl(
            "get-redirect-url", credential, {"projectId": project.project_id, **STUDENT}
        ),
        "Read the results (empty until an attempt ends):": curl(
            "get-assessments-info", credential, results
        ),
        "Get a completed attempt at once, in the test project:": curl(
            "get-redirect-url", test_credential, {**STUDENT, **tested}
        ),
        "Read its result:": curl("get-assessments-info", test_credential, tested),
    }


def demo_project(name: str, at: datetime, *, by: Actor, is_test: bool = False) -> Project:
    if project := Project.objects.filter(partner__name=PARTNER, name=name).first():
        return project
    settings = {"is_test": is_test}
    courses = parse(COURSES.read_bytes())
    return onboard(
        PARTNER, name, settings=settings, courses=courses, label=LABEL, by=by, at=at
    ).project


@sensitive_variables("secret")
def fresh_token(project: Project, at: datetime, *, by: Actor) -> tuple[AccessToken, str]:
    """Issue a token in place of the previous demo token. Return it and its secret."""
    for token in project.access_tokens.live(at).filter(label=LABEL):
        token.revoke(by=by, reason="the demo was started again", at=at)
    return AccessToken.objects.issue(project, label=LABEL, by=by, at=at)


def curl(operation: str, credential: str, body: dict[str, str]) -> str:
    return (
        f"curl -sS {settings.APP_URL}/partner/{operation} -H 'Content-Type: application/json' "
        f"-H 'Accept: application/json' -H \"X-Access-Token: {credential}\" "
        f"-d {shlex.quote(json.dumps(body))}"
    )
