"""Each alert fires on what it is for, and neither earlier nor on a day when all is well."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).resolve().parent
DEPLOY = HERE.parents[1] / "deploy"
RULES = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
WELL = yaml.safe_load((HERE / "alerts_test.yml").read_text())["tests"][0]
# For each alert, the series that differ from a good day, and the first minutes at which it fires.
FIRES: dict[str, tuple[dict[str, str], int]] = {
    "AssessmentUnavailable": (
        {'assess_component_up{component="database", instance="a"}': "0x300"}, 1
    ),
    "AssessmentRequestsFail": (
        {'assess_requests_total{operation="question", status="500"}': "0+1x300"}, 6
    ),
    "AssessmentSlow": (
        {
            'assess_request_seconds_bucket{operation="answer", le="0.5"}': "0+50x300",
            'assess_request_seconds_bucket{operation="answer", le="1.0"}': "0+60x300",
            'assess_request_seconds_bucket{operation="answer", le="+Inf"}': "0+60x300",
        },
        11,
    ),
    "AssessmentLimiterWithoutRedis": (
        {'assess_component_up{component="limiter", instance="a"}': "0x300"}, 5
    ),
    "AssessmentNobodyCompletes": (
        {'assess_attempts_last_hour{event="completed"}': "0x300"}, 60
    ),
    "AssessmentWebhooksStuck": ({"assess_webhooks_overdue_seconds": "301x300"}, 5),
    "AssessmentWebhookSwitchedOff": ({"assess_webhooks_switched_off": "1x300"}, 5),
    "AssessmentFeedBehind": ({"assess_feed_behind_seconds": "301x300"}, 5),
    "AssessmentTaskOverdue": ({'assess_task_overdue{task="purge"}': "1x300"}, 15),
    "AssessmentUnitFailed": (
        {'node_systemd_unit_state{name="assess-purge.service", state="failed"}': "1x300"}, 5
    ),
    "AssessmentDiskFull": (
        {'node_filesystem_avail_bytes{fstype="ext4", mountpoint="/"}': "9x300"}, 30
    ),
    # Nine days from the beginning of the test, at second 0.
    "AssessmentCertificateEnds": ({"probe_ssl_earliest_cert_expiry": f"{9 * 86400}x300"}, 60),
}  # fmt: skip


def test_every_alert_has_its_day() -> None:
    assert {rule["alert"] for group in RULES for rule in group["rules"]} == FIRES.keys()
    asked = {each["alertname"] for each in WELL["alert_rule_test"]}
    assert asked == FIRES.keys()


def test_each_alert_fires_in_time_and_never_without_its_cause(tmp_path: Path) -> None:
    if shutil.which("promtool") is None:
        if os.environ.get("REQUIRE_ALL"):
            pytest.fail("promtool is not installed: apt-get install prometheus")
        pytest.skip("promtool is not installed: apt-get install prometheus")
    tests = [WELL, *(day(alert, *cause) for alert, cause in FIRES.items())]
    file = {
        "rule_files": [str(DEPLOY / "alerts.yml")],
        "evaluation_interval": "1m",
        "tests": tests,
    }
    (tmp_path / "tests.yml").write_text(json.dumps(file))

    done = subprocess.run(
        ["promtool", "test", "rules", "tests.yml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def day(alert: str, changed: dict[str, str], fires_at: int) -> dict[str, Any]:
    """Return promtool's test of a day on which these series differ: not before its minute."""
    others = [each for each in WELL["input_series"] if each["series"] not in changed]
    series = [{"series": name, "values": values} for name, values in changed.items()]
    [rule] = [rule for group in RULES for rule in group["rules"] if rule["alert"] == alert]
    return {
        "name": f"{alert}, for {rule['for']}",
        "interval": "1m",
        "input_series": [*others, *series],
        "promql_expr_test": [firing(alert, fires_at, 1), firing(alert, fires_at - 1, 0)],
    }


def firing(alert: str, minute: int, count: int) -> dict[str, Any]:
    """Ask how many alerts of a name fire at a minute."""
    expression = f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})'
    samples = [{"value": count, "labels": "{}"}] if count else []
    return {"expr": expression, "eval_time": f"{minute}m", "exp_samples": samples}
