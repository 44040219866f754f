from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

# Not seen by students: the admin, the partner reference and API, programs and tests.
NOT_FOR_STUDENTS = [
    *(".venv", "bench", "deploy", "docs", "lab", "static", "tests", "var"),
    *("assessments/api", "assessments/management", "config/management"),
    *("partners", "staff", "tokens"),
    *("templates/admin", "templates/docs", "templates/registration"),
]


class Command(BaseCommand):
    help = (
        "Update locale/*/LC_MESSAGES from the student pages: add new texts to django.po, remove "
        "unused ones, and compile django.mo. Run it after you change an English text, and again "
        "after you translate. Needs GNU gettext (apt-get install gettext)."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail if a django.po would change"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        languages = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
        folder = Path(settings.LOCALE_PATHS[0])
        files = [folder / language / "LC_MESSAGES" / "django.po" for language in languages]
        before = {file: file.read_bytes() for file in files if file.exists()}
        call_command(
            "makemessages",
            locale=languages,
            ignore_patterns=NOT_FOR_STUDENTS,
            # no line numbers or wrapped lines, to keep diffs small
            add_location="file",
            no_wrap=True,
            no_obsolete=True,
            verbosity=0,
        )
        if options["check"]:
            changed = [str(file) for file in files if file.read_bytes() != before.get(file)]
            for file, content in before.items():
                file.write_bytes(content)
            if changed:
                raise CommandError(
                    f"Run manage.py sync_messages: {', '.join(changed)} would change."
                )
            return
        call_command(
            "compilemessages", locale=languages, ignore_patterns=NOT_FOR_STUDENTS, verbosity=0
        )
        self.stderr.write("The messages are updated and compiled.", style_func=str)
