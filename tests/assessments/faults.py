"""A database that fails once, at a statement of one's choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection


class Fault:
    """Count statements; fail at the one with this number, before or after it ran."""

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
        self.seen += not sql.startswith("BEGIN")
        if self.seen != self.number or sql.startswith("BEGIN"):
            return execute(sql, params, many, context)
        self.statement = sql
        if self.after:
            execute(sql, params, many, context)
        raise OperationalError("the database has gone away")


@contextmanager
def fault(number: int, *, after: bool) -> Iterator[Fault]:
    strike = Fault(number, after=after)
    with connection.execute_wrapper(strike):
        yield strike
