"""Queries that are asked with every answer: Django makes their SQL once, not each time.

To make it costs Django several times what PostgreSQL takes to answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.base import ModelState

Row = tuple[Any, ...]
_Model = TypeVar("_Model", bound=models.Model)


@cache
def on_postgresql() -> bool:
    """Say whether the database takes statements that are written for PostgreSQL."""
    return connection.vendor == "postgresql"


def rows(sql: str, values: Sequence[Any] | Mapping[str, Any]) -> list[Row]:
    """Return what one statement gives, by the connection's shortest way (config/postgresql)."""
    if on_postgresql():
        kept = cast("Any", connections[DEFAULT_DB_ALIAS]).kept_cursor()
        kept.execute(sql, values)
        # From psycopg's: it has come whole, and only a value that Python cannot hold would fail.
        found: list[Row] = kept.cursor.fetchall()
        return found
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def of_row(model: type[_Model], names: Sequence[str], values: Iterable[Any]) -> _Model:
    """Return what `model.from_db` does of a row's columns, but by their names and with no signals.

    Of a row's thirty calls of functions that leaves six. What is not named is read from the
    database when somebody asks for it, as Django's `only` has it.
    """
    made = model.__new__(model)
    made._state = ModelState()
    made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS
    vars(made).update(zip(names, values, strict=True))
    return made


class KeptQuery:
    """The query that `make` builds for some values: whole numbers or text, which need no adapting.

    It must be a `values_list` which asks for each value once, in the order of `make`'s arguments.
    """

    def __init__(self, make: Callable[..., models.QuerySet[Any, Row]], *example: int | str) -> None:
        self._make = make
        self._example = example

    def rows(self, *values: int | str) -> list[Row]:
        """Return what the query gives for these values."""
        sql, converters = self._made
        found = rows(sql, values)
        return [_converted(row, converters) for row in found] if converters else found

    @cached_property
    def _made(self) -> tuple[str, dict[int, tuple[list[Callable[..., Any]], Any]]]:
        """The SQL, and by column what converts the database's values, where that is needed.

        On PostgreSQL no column of ours needs it, on SQLite dates do.
        """
        compiler = self._make(*self._example).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        if tuple(parameters) != self._example:
            raise ValueError(f"The query asks for {parameters}, not for {self._example}.")
        return sql, compiler.get_converters([column for column, _sql, _alias in compiler.select])


def _converted(row: Row, converters: dict[int, tuple[list[Callable[..., Any]], Any]]) -> Row:
    values = list(row)
    for place, (functions, column) in converters.items():
        for function in functions:
            values[place] = function(values[place], column, connection)
    return tuple(values)
