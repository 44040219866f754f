"""The shipped dashboard and alerts ask for nothing that /metrics does not say."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from config import metrics
from tests.support.server import ROOT

Labels = dict[str, set[str]]

# What of the query language is written like the name of a metric.
WORDS = {"sum", "rate", "max", "min", "count", "by", "and", "or"}
WORDS |= {"histogram_quantile", "absent", "vector", "time"}
GROUPING = re.compile(r"\bby\s*\([^)]*\)")
SELECTOR = re.compile(r"\{[^}]*\}")
NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
METRIC = re.compile(r"(assess_\w+)(?:\{([^}]*)\})?")
OTHERS = re.compile(r"\b(?:node_|probe_|patroni_|haproxy_)")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


@pytest.fixture
def said(db: None, monkeypatch: pytest.MonkeyPatch) -> dict[str, Labels]:
    """Give the metrics that the service has, each with its labels and their values."""
    monkeypatch.setattr("config.metrics.segments_waiting", lambda: 0)  # as if it archived
    for operation in metrics.OPERATIONS:
        metrics.observe(operation, "200", 0.01)
        metrics.observe(operation, "500", 0.01)
    found: dict[str, Labels] = {}
    text = generate_latest(metrics.Everything()).decode()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = found.setdefault(sample.name, defaultdict(set))
            for label, value in sample.labels.items():
                labels[label].add(value)
    return found


def dashboard() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads((ROOT / "deploy" / "dashboard.json").read_text())
    return parsed


def rules() -> list[dict[str, Any]]:
    parsed = yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text())
    return [rule for group in parsed["groups"] for rule in group["rules"]]


def queries() -> Iterator[str]:
    """Yield all queries but those of other exporters' metrics."""
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            yield target["expr"]
    for rule in rules():
        if not OTHERS.search(rule["expr"]):
            yield rule["expr"]


def unknown(query: str, said: dict[str, Labels]) -> list[str]:
    """Return what a query asks for in vain: metrics, labels, and values of labels."""
    bare = SELECTOR.sub("", GROUPING.sub("by", re.sub(r"\[\w+\]", "", query)))
    found = [name for name in NAME.findall(bare) if name not in WORDS and name not in said]
    for metric, selector in METRIC.findall(query):
        labels = said.get(metric, {})
        for label, operator, value in MATCHER.findall(selector):
            alternatives = value.split("|") if "~" in operator else [value]
            found += [
                f"{metric}{{{label}={each}}}"
                for each in alternatives
                if not any(re.fullmatch(each, known) for known in labels.get(label, ()))
            ]
    grouped = {word for each in GROUPING.findall(query) for word in NAME.findall(each)[1:]}
    all_labels = {label for metric, _ in METRIC.findall(query) for label in said.get(metric, {})}
    return found + sorted(grouped - all_labels)


def test_each_query_asks_for_what_there_is(said: dict[str, Labels]) -> None:
    asked = list(queries())

    assert len(asked) > 20
    assert {query: unknown(query, said) for query in asked if unknown(query, said)} == {}
