"""A database that fails once, at a statement or a COMMIT of one's choice; and what it may leave."""

from collections import Counter
from contextlib import contextmanager
from unittest.mock import patch

from django.apps import apps
from django.db import OperationalError, connection

from assessments.models import Item, ItemBank
from tests.conftest import forget_everything
from tests.support import invariants

# All that the service keeps, but item banks, which no request changes, and staff's sessions.
MODELS = [
    model
    for app in ("partners", "tokens", "assessments")
    for model in apps.get_app_config(app).get_models()
    if not model._meta.proxy and model not in (Item, ItemBank)
]


class Fault:
    """Count what is sent to the database; fail at the one with this number.

    Either before it runs, or after: then of those that write only, COMMIT among them. Where a
    statement only read, it is the same as a failure before the next.
    """

    def __init__(self, number, *, after):
        self.number = number
        self.after = after
        self.seen = 0
        self.statement = ""

    @property
    def has_struck(self):
        return self.seen >= self.number

    def __call__(self, execute, sql, params, many, context):
        # SQLite's BEGIN comes by here, PostgreSQL's does not; nothing is at stake yet
        if sql.startswith("BEGIN") or (self.after and sql.startswith("SELECT")):
            return execute(sql, params, many, context)
        return self.run(sql, lambda: execute(sql, params, many, context))

    def run(self, statement, run):
        """Run it, or fail."""
        self.seen += 1
        if self.seen != self.number:
            return run()
        self.statement = statement
        if self.after:
            run()
        raise OperationalError("the database has gone away")


@contextmanager
def fault(number, *, after):
    strike, commit = Fault(number, after=after), connection._commit
    with (
        connection.execute_wrapper(strike),
        # COMMIT is no statement to Django
        patch.object(connection, "_commit", lambda: strike.run("COMMIT", commit)),
    ):
        yield strike


def rows():
    return {
        (model.__name__, row["id"]): row for model in MODELS for row in model._base_manager.values()
    }


def effect(before, after):
    """Return how many rows of each kind are new, how many were changed in which column, or went."""
    found = Counter()
    for name, pk in before.keys() | after.keys():
        old, new = before.get((name, pk)), after.get((name, pk))
        if old is None or new is None:
            found[f"{'new' if new else 'gone'} {name}"] += 1
            continue
        found.update(f"{name}.{column}" for column in old if old[column] != new[column])
    return found


def fail_at_each_statement(prepare, failed, *, after, is_once=True):
    """Prepare an act and do it with a fault at one statement after the other, before or after it.

    Each failure leaves all of the act, or nothing. Doing it again completes it; if all was left and
    it `is_once`, that changes nothing. Return how many statements failed, and the whole effect.
    """
    act = prepare()
    before = rows()
    act()
    whole = effect(before, rows())
    for number in range(1, 100):
        act = prepare()
        before = rows()
        # What was looked up and remembered before would not be asked again, and not fail.
        forget_everything()
        with fault(number, after=after) as strike:
            outcome = act()
        if not strike.has_struck:
            assert effect(before, rows()) == whole
            assert invariants.violations() == []  # none of the failures has left any
            return number - 1, whole
        assert failed(outcome), f"{strike.statement} failed, and nobody noticed"
        stored = rows()
        if stored != before and not is_once:
            assert effect(before, stored) == whole, strike.statement
            continue
        act()
        assert effect(before, rows()) == whole, strike.statement
        assert stored in (before, rows()), strike.statement
    raise AssertionError("there is no end to the statements")
