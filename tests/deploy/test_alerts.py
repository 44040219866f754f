"""Each alert fires on what it is for, and neither earlier nor on a day when all is well.

Those of a cluster read what Patroni and HAProxy said in a drill (cluster_metrics.txt).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.config.test_docs import anchors

HERE = Path(__file__).resolve().parent
DEPLOY = HERE.parents[1] / "deploy"
RULES = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
WELL = yaml.safe_load((HERE / "alerts_test.yml").read_text())["tests"][0]
MIB = 1024 * 1024
OF_CLUSTER = re.compile("patroni_|haproxy_|up{")


def recorded(moment: str) -> dict[str, str]:
    """Return what Patroni and HAProxy said at a moment of a drill, as series that stay so.

    Times of the record become times of the test, which begins at 0: a node that had just reached
    etcd goes on doing so, another one does not reach it again.
    """
    [(at, lines)] = re.findall(rf"^== {moment}, at (\d+)\n(.*?)(?=^==|\Z)", RECORD, re.M | re.S)
    found = {}
    for line in lines.splitlines():
        name, _, value = line.rpartition(" ")
        if name.startswith("patroni_dcs_last_seen"):
            found[name] = "0+60x300" if int(at) - int(value) < 20 else "0x300"
        else:
            found[name] = f"{value}x300"
    return found


RECORD = (HERE / "cluster_metrics.txt").read_text()
WELL["input_series"] += [{"series": s, "values": v} for s, v in recorded("all is well").items()]
[BEHIND] = [
    (name, int(values.removesuffix("x300")))
    for name, values in recorded("all is well").items()
    if name.startswith('patroni_xlog_received_location{scope="assess",name="db3"')
]
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
    "AssessmentBackupOld": ({'assess_task_overdue{task="backup"}': "1x300"}, 15),
    "AssessmentArchiveLags": ({"assess_archive_segments_waiting": "4x300"}, 10),
    "AssessmentNoPrimary": (recorded("the primary's node was cut off"), 1),
    "AssessmentNoSyncStandby": (recorded("the synchronous standby was killed"), 2),
    "AssessmentNodeAway": (recorded("the standby's node was killed"), 2),
    # The only one that is not as recorded: no drill writes so much.
    "AssessmentReplicationLags": ({BEHIND[0]: f"{BEHIND[1] - 65 * MIB}x300"}, 5),
    "AssessmentPostmasterFrozen": (recorded("the primary's postmaster was stopped"), 1),
    "AssessmentWithoutEtcd": (recorded("two members of etcd were killed"), 1),
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


@pytest.mark.parametrize("rule", [rule for group in RULES for rule in group["rules"]])
def test_every_alert_names_a_section_that_exists(rule: dict[str, Any]) -> None:
    page, _, section = rule["annotations"]["runbook"].partition("#")

    assert section in anchors(DEPLOY.parent / page)


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
    """Return promtool's test of a day on which these series differ: not before its minute.

    A whole record of the cluster takes the place of the other one.
    """
    is_record = any(name.startswith("up{") for name in changed)
    others = [
        each
        for each in WELL["input_series"]
        if each["series"] not in changed and not (is_record and OF_CLUSTER.match(each["series"]))
    ]
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
