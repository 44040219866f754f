"""Each alert fires on what it is for, and neither earlier nor on a day when all is well.

Those of a cluster read what Patroni and HAProxy said in a drill (cluster_metrics.txt).
"""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.support.programs import ROOT, run

HERE = Path(__file__).resolve().parent
DEPLOY = ROOT / "deploy"
GROUPS = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
RULES = {rule["alert"]: rule for group in GROUPS for rule in group["rules"]}
RECORD = (HERE / "cluster_metrics.txt").read_text()
DAYS = yaml.safe_load((HERE / "alerts_test.yml").read_text())
OF_CLUSTER = re.compile("patroni_|haproxy_|up{")


def recorded(moment):
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


def day(name, differ):
    """Return a day of promtool's on which these series differ.

    A whole record of the cluster takes the place of the other one.
    """
    is_record = any(each.startswith("up{") for each in differ)
    well = DAYS["well"] | recorded("all is well")
    others = {
        each: values for each, values in well.items() if not (is_record and OF_CLUSTER.match(each))
    }
    series = [{"series": each, "values": values} for each, values in (others | differ).items()]
    return {"name": name, "interval": "1m", "input_series": series}


def firing(alert, minute, count):
    expression = f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})'
    samples = [{"value": count, "labels": "{}"}] if count else []
    return {"expr": expression, "eval_time": f"{minute}m", "exp_samples": samples}


@pytest.mark.slow
def test_each_alert_fires_in_time_and_never_without_its_cause(tmp_path):
    fires = DAYS["fires"]
    assert RULES.keys() == fires.keys()
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not installed: apt-get install prometheus")
    quiet = [{"eval_time": "4h", "alertname": alert} for alert in fires]
    tests = [day("all is well", {}) | {"alert_rule_test": quiet}]
    for alert, each in fires.items():
        asked = [firing(alert, each["minute"], 1), firing(alert, each["minute"] - 1, 0)]
        series = recorded(each["record"]) if "record" in each else each["series"]
        tests.append(day(alert, series) | {"promql_expr_test": asked})
    rules = {"rule_files": [str(DEPLOY / "alerts.yml")], "evaluation_interval": "1m"}
    (tmp_path / "tests.yml").write_text(json.dumps(rules | {"tests": tests}))

    done = run(["promtool", "test", "rules", "tests.yml"], cwd=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
