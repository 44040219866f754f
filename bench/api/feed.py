"""Measure what a page of list-assessments costs the database.

    .venv/bin/python -m bench.api.feed [--attempts 1000000]

One project has all attempts, one in ten of them abandoned. Pages of 200 are read at the beginning,
in the middle and at the end, once the partner has read them before. The figure is the median of
PostgreSQL's planning and execution time. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.api import rows
from bench.stack import Stack
from lab.figures import Figure, at_most, exactly, exit_status

if TYPE_CHECKING:
    from tests.support.server import Service

PAGE, RUNS = 200, 15
LONGEST = 20.0  # ms of the database for a page
INDEX = "assessment_ended_of_project"
# All answered a whole attempt, as the first of them did.
ABANDONED = f"""
UPDATE assessments_assessment SET abandoned_at = completed_at, completed_at = NULL, profile = NULL,
  recommendations = NULL, catalogue_id = NULL
WHERE id > {rows.OFFSET} AND id % 10 = 3
"""
ANSWERS = f"""
INSERT INTO assessments_answer (assessment_id, position, item_id, shown_at, choice, answered_at,
  language)
SELECT a.id, n.position, n.item_id, a.started_at, n.choice, a.started_at + interval '5 minutes',
  'en'
FROM (SELECT id, started_at, row_number() OVER (ORDER BY id) AS nth, count(*) OVER () AS many
      FROM assessments_assessment WHERE id > {rows.OFFSET}) a,
  assessments_answer n
WHERE n.assessment_id < {rows.OFFSET} AND a.id % 10 = 3
  AND (nth < 1000 OR many - nth < 1000 OR abs(nth - many / 2) < 1000)
"""


def measure(service: Service) -> Iterator[Figure]:
    """Read pages and yield the figures."""
    for place in ("beginning", "middle", "end"):
        program = f"from bench.api import feed; feed.explain({place!r})"
        found = json.loads(service.manage("shell", "--no-imports", "-v", "0", "-c", program))
        yield at_most(f"{place}: ms of the database for a page", found["ms"], LONGEST)
        yield exactly(f"{place}: attempts in the page", found["listed"], PAGE)
        yield exactly(f"{place}: found by the index", int(INDEX in found["indexes"]), 1)


def explain(place: str) -> None:
    """Print what PostgreSQL says of a page. Runs inside `manage.py shell`."""
    from django.db import connection

    from assessments.models import Assessment, feed
    from assessments.models.retention import ENDED_AT

    attempts = Assessment.objects.annotate(ended_at=ENDED_AT).order_by("ended_at", "pk")
    attempts = attempts.filter(ended_at__lt=feed.shown_until())
    count = attempts.count()
    before = {"beginning": 0, "middle": count // 2, "end": count - PAGE - 1}[place]
    at: Any = attempts[before]
    after = feed.Place(at.ended_at, at.pk) if before else feed.START
    sent: list[tuple[str, Any]] = []

    def remember(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        sent.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(remember):
        listed = feed.page(at.project_id, after, PAGE)
    milliseconds, plans = [], ""
    for _ in range(RUNS):
        spent = 0.0
        for sql, params in sent:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
                [plan] = json.loads(plans := str_of(cursor.fetchone()[0]))
            spent += plan["Planning Time"] + plan["Execution Time"]
        milliseconds.append(spent)
    indexes = re.findall(r'"Index Name": "(\w+)"', plans)
    print(json.dumps({"ms": median(milliseconds), "listed": len(listed), "indexes": indexes}))


def str_of(plan: Any) -> str:
    """Return a plan as JSON, which psycopg has parsed already."""
    return plan if isinstance(plan, str) else json.dumps(plan)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attempts", type=int, default=1_000_000)
    attempts = parser.parse_args().attempts
    with Stack() as stack:
        service = stack.service()
        service.start()
        [caller] = rows.onboard(service, 1)
        service.stop()
        rows.fill(stack.cluster, service, [caller.project], attempts)
        for statement in (ABANDONED, ANSWERS, "VACUUM ANALYZE"):
            service.rows(statement)
        return exit_status(measure(service))


if __name__ == "__main__":
    sys.exit(main())
