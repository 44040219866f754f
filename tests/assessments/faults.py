"""A database that fails once, at a statement or a COMMIT of one's choice; and what it may leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db import OperationalError, connection

from assessments.models import (
    Answer,
    Assessment,
    AssessmentLink,
    CatalogueSnapshot,
    Course,
    LinkEvent,
    Student,
)
from partners.models import AuditEvent, Partner, Project
from tests.conftest import forget_everything
from tests.support import invariants
from tokens.models import AccessToken

# All that the service keeps, but item banks, which no request changes, and staff's sessions.
MODELS = (
    *(Partner, Project, AccessToken, AuditEvent, Course, CatalogueSnapshot),
    *(Student, AssessmentLink, LinkEvent, Assessment, Answer),
)
Rows = dict[tuple[str, Any], dict[str, Any]]


class Fault:
    """Count what is sent to the database; fail at the one with this number.

    Either before it runs, or after: then of those that write only, COMMIT among them. Where a
    statement only read, it is the same as a failure before the next.
    """

    def __init__(self, number: int, *, after: bool) -> None:
        self.number = number
        self.after = after
        self.seen = 0
        self.statement = ""

    @property
    def has_struck(self) -> bool:
        return self.seen >= self.number

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        # SQLite's BEGIN comes by here, PostgreSQL's does not; nothing is at stake yet
        if sql.startswith("BEGIN") or (self.after and sql.startswith("SELECT")):
            return execute(sql, params, many, context)
        return self.run(sql, lambda: execute(sql, params, many, context))

    def run(self, statement: str, run: Callable[[], Any]) -> Any:
        """Run it, or fail."""
        self.seen += 1
        if self.seen != self.number:
            return run()
        self.statement = statement
        if self.after:
            run()
        raise OperationalError("the database has gone away")


@contextmanager
def fault(number: int, *, after: bool) -> Iterator[Fault]:
    strike, commit = Fault(number, after=after), connection._commit
    with (
        connection.execute_wrapper(strike),
        # COMMIT is no statement to Django
        patch.object(connection, "_commit", lambda: strike.run("COMMIT", commit)),
    ):
        yield strike


def rows() -> Rows:
    """Return all that is stored, by table and primary key."""
    found: Rows = {}
    with connection.cursor() as cursor:
        for model in MODELS:
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')  # noqa: S608 - our own name
            columns = [column[0] for column in cursor.description]
            for values in cursor.fetchall():
                row = dict(zip(columns, values, strict=True))
                found[model.__name__, row["id"]] = row
    return found


def effect(before: Rows, after: Rows) -> Counter[str]:
    """Return how many rows of each kind are new, how many were changed in which column, or went."""
    found: Counter[str] = Counter()
    for name, pk in before.keys() | after.keys():
        old, new = before.get((name, pk)), after.get((name, pk))
        if old is None or new is None:
            found[f"{'new' if new else 'gone'} {name}"] += 1
            continue
        found.update(f"{name}.{column}" for column in old if old[column] != new[column])
    return found


def fail_at_each_statement(
    act: Callable[[], Any], failed: Callable[[Any], bool], *, after: bool
) -> int:
    """Act until no fault strikes any more; each failure leaves all of the act, or nothing.

    All of it, where the COMMIT was done, or what failed came after it: then acting again changes
    nothing. Return the number of statements.
    """
    before = rows()
    done: Any = None
    for number in range(1, 100):
        strike, outcome = _struck(act, number, after)
        stored = rows()
        if not strike.has_struck:
            assert stored == (done or stored)
            assert invariants.violations() == []
            return number - 1
        assert failed(outcome), f"{strike.statement} failed, and nobody noticed"
        if done is None and stored != before:
            done = stored
        assert stored in (before, done), strike.statement
    raise AssertionError("there is no end to the statements")


def fail_afresh_at_each_statement(
    prepare: Callable[[], Callable[[], Any]],
    failed: Callable[[Any], bool],
    *,
    is_once: bool = True,
) -> tuple[int, int, Counter[str]]:
    """Prepare an act and do it, with a fault before one statement after the other; then after.

    For acts whose second go is another one, so that it says little. Each failure leaves all of
    the act, or nothing; if all, and it `is_once`, acting again changes nothing. Return how many
    statements failed before they ran, how many after, and the effect of the whole act.
    """
    act = prepare()
    before = rows()
    act()
    whole = effect(before, rows())
    counts = [
        _fail_afresh(prepare, failed, whole, after=after, is_once=is_once)
        for after in (False, True)
    ]
    # What any of the failures had left would still be there.
    assert invariants.violations() == []
    return counts[0], counts[1], whole


def _fail_afresh(
    prepare: Callable[[], Callable[[], Any]],
    failed: Callable[[Any], bool],
    whole: Counter[str],
    *,
    after: bool,
    is_once: bool,
) -> int:
    for number in range(1, 100):
        act = prepare()
        before = rows()
        strike, outcome = _struck(act, number, after)
        if not strike.has_struck:
            return number - 1
        assert failed(outcome), f"{strike.statement} failed, and nobody noticed"
        stored = rows()
        if stored == before:
            continue
        assert effect(before, stored) == whole, strike.statement
        if is_once:
            act()
            assert rows() == stored, strike.statement
    raise AssertionError("there is no end to the statements")


def _struck(act: Callable[[], Any], number: int, after: bool) -> tuple[Fault, Any]:
    # What was looked up and remembered before would not be asked again, and not fail.
    forget_everything()
    with fault(number, after=after) as strike:
        return strike, act()
