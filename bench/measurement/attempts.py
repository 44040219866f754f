"""Take whole attempts through the pages of the running service, as simulated students."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from measurement.ability import probability
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger

if TYPE_CHECKING:
    from tests.support.server import Service

SECONDS = {"interests": 5.0, "fields": 5.0, "preferences": 6.0, "aptitude": 35.0}

Item = Mapping[str, Any]


@dataclass(frozen=True)
class Taken:
    """What came of an attempt: the codes of the recommended courses, and the stored profile."""

    courses: tuple[str, ...]
    profile: Mapping[str, Any]


def solved(
    can: tuple[float, float, float],
    item: Item,
    facets: Mapping[str, list[str]],
    rng: random.Random,
) -> int:
    """Return the option that a student of this ability chooses, by the response model."""
    facet = next(f for f, families in facets.items() if item["family"] in families)
    theta = can[("numerical", "abstract", "verbal").index(facet)]
    if rng.random() < probability(theta, item["a"], item["b"], item["c"]):
        return int(item["key"])
    wrong = [o["value"] for o in item["options"] if o["value"] != item["key"]]
    return int(rng.choice([*wrong, 0, 0]))


def take_attempt(
    service: Service,
    partner: Partner,
    bank: Mapping[str, Any],
    email: str,
    choose: Callable[[Item], int],
    *,
    stream: str,
) -> Taken:
    """Take the whole assessment as a student who chooses so; return what came of it.

    `stream` is the student's answer to the question about subjects.
    """
    items = {item["code"]: item for item in bank["items"]}
    browser = RemoteBrowser(Client(Gate(service.port), Ledger()))
    page = browser.answer_subjects(browser.start(partner.link(browser.client, email)), stream)
    while page.name != "result":
        if page.name in {"section", "ideas"}:
            page = browser.go_on(page)
            continue
        asked = service.rows(
            "SELECT i.code, n.position, n.id FROM assessments_answer n"
            " JOIN assessments_item i ON i.id = n.item_id"
            " JOIN assessments_assessment a ON a.id = n.assessment_id"
            " JOIN assessments_student s ON s.id = a.student_id"
            " WHERE s.email = %s AND n.choice IS NULL ORDER BY n.position",
            (email,),
        )
        shown = [items[row["code"]] for row in asked]
        _take_time(service, shown, asked)
        answers = [str(choose(item)) for item in shown]
        page = browser.press(page, dict(zip(page.form.questions, answers, strict=True)))
    [record] = partner.results(browser.client, email)
    [row] = service.rows(
        "SELECT a.profile, a.recommendations FROM assessments_assessment a"
        " JOIN assessments_student s ON s.id = a.student_id WHERE s.email = %s",
        (email,),
    )
    chosen = _loaded(row["recommendations"])
    assert record["Status"] == "Completed"
    assert record["Recommendations"] == [course["name"] for course in chosen]
    return Taken(tuple(course["code"] for course in chosen), _loaded(row["profile"]))


def _take_time(service: Service, asked: list[Item], rows: list[dict[str, Any]]) -> None:
    """Set back the time at which the page was shown, as if the student had read it."""
    seconds = sum(SECONDS[item["section"]] for item in asked)
    for row in rows:
        service.rows(
            "UPDATE assessments_answer SET shown_at = datetime(shown_at, %s)"
            " WHERE id = %s RETURNING id",
            (f"-{seconds} seconds", row["id"]),
        )


def _loaded(value: Any) -> Any:
    """SQLite returns JSON columns as text."""
    return json.loads(value) if isinstance(value, str) else value
