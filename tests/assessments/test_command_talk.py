"""What commands say is red at a terminal only if it is an error."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.factories import ProjectFactory

HEADER = "code,name,order"
COURSE = "ba,BA Psychology,1"

pytestmark = pytest.mark.django_db


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """Run a command at a terminal; return what it says on stderr."""
    terminal = Terminal()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Terminal())
        patched.setattr(sys, "stderr", terminal)
        call_command(*arguments)
    return terminal.getvalue()


def test_columns_of_a_catalogue_that_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project = ProjectFactory.create()
    file = tmp_path / "courses.csv"
    file.write_text(f"{HEADER},colour\n{COURSE},blue\n")

    text = said(monkeypatch, "load_courses", project.project_id, str(file))

    assert text.startswith("Ignored unknown columns: ")
    assert "\x1b[" not in text
