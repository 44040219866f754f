#!/usr/bin/env python3
"""Update locale/*/LC_MESSAGES from the student pages. Needs GNU gettext (apt-get install gettext).

Adds new texts to django.po, removes unused ones, and compiles django.mo. Run it after you change an
English text, and again after you translate. With --check, change nothing: exit with 1 if a
django.po would change.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent
# Not seen by students: the admin, the partner reference and API, programs and tests.
NOT_FOR_STUDENTS = [
    *(".venv", "bench", "deploy", "docs", "lab", "static", "tests", "var"),
    *("assessments/api", "assessments/management", "config/management"),
    *("partners", "staff", "tokens"),
    *("templates/admin", "templates/docs", "templates/registration"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    is_check = parser.parse_args().check
    sys.path.insert(0, str(ROOT))
    os.environ |= {"MODE": "test", "DJANGO_SETTINGS_MODULE": "config.settings"}
    os.chdir(ROOT)  # where makemessages looks for texts
    django.setup()
    languages = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    files = [ROOT / "locale" / language / "LC_MESSAGES" / "django.po" for language in languages]
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
    if not is_check:
        call_command(
            "compilemessages", locale=languages, ignore_patterns=NOT_FOR_STUDENTS, verbosity=0
        )
        print("The messages are updated and compiled.")
        return
    changed = [str(file) for file in files if file.read_bytes() != before.get(file)]
    for file, content in before.items():
        file.write_bytes(content)
    if changed:
        sys.exit(f"Run .ci/messages.py: {', '.join(changed)} would change.")


if __name__ == "__main__":
    main()
