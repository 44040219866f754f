"""Every action that the code writes down can be asked for in the audit trail."""

from __future__ import annotations

import re

from partners.audit_actions import ACTIONS, of_kind
from tests.support.server import ROOT

RECORDED = re.compile(r'\.record\(\s*"([a-z]+\.[a-z_]+)"')
APPS = ("partners", "tokens", "assessments", "config")


def recorded() -> set[str]:
    """Return the names that are given to `AuditEvent.record` as they are."""
    files = [file for app in APPS for file in (ROOT / app).rglob("*.py")]
    return {action for file in files for action in RECORDED.findall(file.read_text())}


def test_every_recorded_action_is_listed() -> None:
    found = recorded()

    assert len(found) > 10
    assert found <= {action for kind in ACTIONS for action in of_kind(kind)}
