"""public_surface.txt lists everything that others rely on, and nothing on it may change unnoticed.

Each line is one fact. Addresses, commands, settings and tables are read from the code; the keys of
JSON, metrics and log lines come from running it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import AppConfig, apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError
from django.db.models import JSONField
from django.urls import URLPattern, URLResolver, get_resolver
from prometheus_client.parser import text_string_to_metric_families

from assessments.models import ItemBank
from config import env
from partners.audit_actions import ACTIONS
from partners.models import Project
from tests.assessments.attempts import DETAILS, issue
from tests.assessments.simulated_attempts import simulate_attempts
from tests.factories import ProjectFactory, UserFactory
from tests.support.browser import Browser, Wire
from tests.support.server import ROOT, SMALL_BANK, Service

LIST = Path(__file__).with_name("public_surface.txt")
# Dictionaries whose keys are data, such as course names or minutes.
OPEN = {"radicals", "durations", "courses", "stopped", "by_language", "items"}
# Commands print these as they are stored; their keys are listed once, with the column.
STORED = {"profile", "recommendations", "norms"}


def compare(found: Iterable[str], kinds: set[str]) -> None:
    """Fail unless these facts are the listed facts of these kinds."""
    now = {fact.strip() for fact in found}
    listed = {line for line in LIST.read_text().splitlines() if line.split()[0] in kinds}
    changes = [f"- {line}" for line in sorted(listed - now)]
    changes += [f"+ {line}" for line in sorted(now - listed)]
    assert not changes, (
        f"The public surface has changed. If you meant to change it, edit {LIST.name} like this "
        "and add a line to CHANGELOG.md:\n" + "\n".join(changes)
    )


def ours() -> list[AppConfig]:
    return [app for app in apps.get_app_configs() if "site-packages" not in app.path]


def urls(resolver: URLResolver, route: str = "/", namespace: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        path = route + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield f"url {path} {namespace}{pattern.name or '(no name)'}"
        else:
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from urls(pattern, path, inner)


def options(command: BaseCommand) -> set[str]:
    parser = command.create_parser("manage.py", "command")
    return {" ".join(action.option_strings) or action.dest for action in parser._actions}


def declared() -> Iterator[str]:
    """Yield the facts that need no run."""
    yield from urls(get_resolver())
    for name, app in get_commands().items():
        if app in {each.name for each in ours()}:
            new = options(load_command_class(app, name)) - options(BaseCommand())
            yield from (f"command {name} {option}" for option in {"", *new})
    yield from (f"mode {mode}" for mode in env.MODES)
    yield from (f"setting {setting.name} default={setting.default!r}" for setting in env.TABLE)
    cookies = [name for name in dir(settings) if name.endswith("_COOKIE_NAME")]
    yield from (f"cookie {name} {getattr(settings, name)}" for name in cookies)
    for kind, acts in ACTIONS.items():
        yield from (f"audited {kind}.{act}" for act in acts)
    yield from (f"app {app.label}" for app in ours())
    for model in apps.get_models(include_auto_created=True):
        table = model._meta
        yield f"app {table.app_label}"
        yield f"table {table.db_table}"
        if table.app_config in ours():
            columns = [field.column for field in table.local_concrete_fields]
            yield from (f"column {table.db_table}.{column}" for column in columns)
            yield from (f"constraint {each.name}" for each in table.constraints)
            yield from (f"index {each.name}" for each in table.indexes)


def test_what_the_code_declares_is_listed() -> None:
    found = set(declared())
    compare(found, {line.split()[0] for line in found})


def keys(value: Any, path: str) -> Iterator[str]:
    """Yield the path of every key in parsed JSON."""
    if isinstance(value, list):
        for each in value:
            yield from keys(each, f"{path}[]")
    elif isinstance(value, dict):
        is_open = path.rpartition(".")[2] in OPEN or set(value) <= set(dict(settings.LANGUAGES))
        for name, each in value.items():
            inner = f"{path}.{'*' if is_open else name}"
            yield inner
            if " " not in path or name not in STORED:
                yield from keys(each, inner)


def stored() -> Iterator[str]:
    """Yield the keys in all JSON columns."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, JSONField):
                for value in model._base_manager.values_list(field.name, flat=True):
                    yield from keys(value, f"{model._meta.db_table}.{field.name}")


def take(url: str) -> None:
    """Take an assessment, liking everything, so that results have reasons.

    Where asked, name subjects that some courses refuse.
    """
    browser = Browser()
    browser.finish(browser.answer_subjects(browser.start(url), "arts"), choice=-1)


@pytest.mark.django_db
def test_what_commands_print_and_rows_hold_is_listed() -> None:
    found: set[str] = set()

    def run(name: str, *arguments: str) -> Any:
        # They exit with 1 if results differ, or if something needs attention.
        with suppress(*{"rescore": [CommandError], "attention": [SystemExit]}.get(name, [])):
            call_command(name, *arguments, "--json", stdout=(out := StringIO()), stderr=StringIO())
        text = out.getvalue()
        printed = [
            json.loads(each) for each in (text.splitlines() if name == "rescore" else [text])
        ]
        for value in printed:
            found.update(f"json {key}" for key in keys(value, f"{name} --json"))
        return printed[0]

    ItemBank.cached.cache_clear()
    catalogue = str(ROOT / "assessments" / "demo" / "courses.csv")
    run("load_items")
    made = run("onboard_partner", "Vidya", "--project", "Sahyadri")
    project = Project.objects.get(project_id=(project_id := made["projectId"]))
    token = run("issue_token", project_id)["TokenId"]
    run("rotate_token", token)
    run("revoke_token", token, "--yes")
    run("list_tokens")
    run("list_projects")
    run("load_courses", project_id, catalogue)
    take(issue(project)[1])
    run("load_items", str(SMALL_BANK), "--make-current")
    simulate_attempts(project, ItemBank.objects.current(), 100)
    run("update_norms", "--apply", "--yes")
    run("rescore", "--all", "--bank", "2026.1-n1")
    run("export_results", project_id)
    run("export_student", project_id, DETAILS["email"])
    run("purge")
    run("deliver_webhooks", "--once")
    run("config")
    ProjectFactory.create()  # without courses
    run("attention")
    run("reset_second_factor", UserFactory.create().username, "--yes")
    found.update(f"json {key}" for key in stored())
    run("erase_student", project_id, DETAILS["email"], "--yes")
    for path in (ROOT / "assessments" / "banks").glob("*.json"):
        found.update(f"json {key}" for key in keys(json.loads(path.read_bytes()), "bank"))
    call_command("export_results", project_id, stdout=(out := StringIO()), stderr=StringIO())
    header = out.getvalue().splitlines()[0].strip("\ufeff")
    found.update(f"csv export_results {name}" for name in header.split(","))
    rights = Permission.objects.filter(content_type__app_label__in=[app.label for app in ours()])
    found.update(f"permission {p.content_type.app_label}.{p.codename}" for p in rights)
    compare(found, {"json", "csv", "permission"})
    in_json = {line.split()[1] for line in declared() if re.match(r"command \S+ --json", line)}
    assert in_json - {line.split()[1] for line in found} == set()


@pytest.mark.slow
def test_what_the_running_service_writes_is_listed(start_service: Callable[..., Service]) -> None:
    service = start_service(METRICS_TOKEN="m" * 32)
    wire = Wire(service.port)
    found = set()
    for path in ("/healthz", "/readyz", "/partner/"):
        found.update(f"body {key}" for key in keys(json.loads(wire.get(path).content), path))
    scraped = wire.get("/metrics", Authorization=f"Bearer {'m' * 32}")
    for family in text_string_to_metric_families(scraped.content.decode()):
        for sample in family.samples:
            found.add(f"metric {sample.name} {' '.join(sorted(sample.labels))}")
    found.add("metric assess_archive_segments_waiting")  # this database has no archive
    service.rows("ALTER TABLE assessments_student RENAME TO assessments_lost")
    assert wire.get(f"/prj_{'x' * 16}/assessment?token={'x' * 43}").status_code == 500
    for line in map(json.loads, service.logs().splitlines()):
        kind = {"gunicorn.access": "request", "gunicorn.error": "gunicorn"}.get(line["logger"])
        found.update(f"log {kind or 'application'} {key}" for key in line)

    compare(found, {"body", "metric", "log"})
