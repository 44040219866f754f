"""Visit every page of the back office with a million attempts, and look at every query.

    python -m bench.admin [--scale 1.0] [--only TEXT] [--misses FILE] [--database-url URL]

A database of its own is filled with 1,000 projects, 1,000,000 students and attempts, 5,000,000
answers and 300,000 audit events, two years of them, and another one with a hundredth. A superuser
opens every page that the site's addresses name: every list, its filters, orders, first and last
pages and searches, every page of an object, the search for a link, the figures. A row a page:
its queries, the slowest in ms, all of them, the whole page, and scans of big tables.
Targets: as many queries as with a hundredth of the rows, none over 200 ms, and none that reads a
big table without an index. A time is that of the fastest of three visits, seen from the web
process, as whatever else runs on the machine only adds to it. Exit status 1 on a miss; `--misses`
writes each one with its plan. `--only` visits the pages whose name or address has a text in it.
About seven minutes at full scale on two cores, two with `--scale 0.01`.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.figures import Figure, at_most, exactly, reported

if TYPE_CHECKING:
    from django.test import Client

    from bench.admin.visits import Visited

VISITS = 3
SLOWEST, MOST_QUERIES = 200.0, 40
# What is slower than this, in ms, is not waited for.
GIVEN_UP = 10_000
# As a server for so much data has it; 128 MB, the default, is less than one index.
SERVER = "shared_buffers = 1GB\n"


@contextmanager
def filled_database(server_url: str, scale: float) -> Iterator[Client]:
    """Make a database, fill it, and give the client of a superuser who is signed in."""
    from django.contrib.auth.models import User
    from django.contrib.contenttypes.models import ContentType
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    from assessments.models import ItemBank
    from bench.admin.rows import Size, fill
    from tests.support.databases import PostgreSQLDatabase

    database = PostgreSQLDatabase(server_url)
    try:
        connection.close()
        connection.settings_dict["NAME"] = database.url.rpartition("/")[2]
        ContentType.objects.clear_cache()
        ItemBank.cached.cache_clear()
        call_command("migrate", verbosity=0)
        for what, seconds in fill(Size.of(scale)):
            print(f"     {seconds:5.0f} s  {what}", flush=True)
        _give_up_after(GIVEN_UP)
        client = Client(raise_request_exception=False, SERVER_NAME="127.0.0.1")
        client.force_login(User.objects.create_superuser("measuring"))
        yield client
    finally:
        connection.close()
        database.drop()


def _give_up_after(milliseconds: int) -> None:
    """Let the database refuse what takes longer; 0: let it take its time."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = {milliseconds}")


def differing(few: list[Visited], many: list[Visited]) -> list[str]:
    """Return the pages whose number of queries grows with the rows, in words."""
    before = {visited.page.name: visited for visited in few}
    pairs = [(before.get(visited.page.name, visited), visited) for visited in many]
    return [
        f"{now.page.name}: {len(then.queries)} queries with few rows, {len(now.queries)} with many"
        for then, now in pairs
        if then.is_empty == now.is_empty and len(then.queries) != len(now.queries)
    ]


def figures(few: list[Visited], many: list[Visited]) -> list[Figure]:
    slowest = max(query.ms for visited in many for query in visited.queries)
    grown, scanning = len(differing(few, many)), sum(bool(visited.scans) for visited in many)
    return [
        reported("pages visited", len(many)),
        exactly("pages that failed", sum(v.status >= 500 for v in many), 0),
        exactly("pages with another number of queries than with few rows", grown, 0),
        at_most("queries of a page, the most", max(len(v.queries) for v in many), MOST_QUERIES),
        at_most("the slowest query, ms", slowest, SLOWEST),
        exactly("pages that read a big table without an index", scanning, 0),
    ]


def tell_misses(few: list[Visited], many: list[Visited], plans: dict[str, str]) -> str:
    """Return every miss with its statement and plan, each statement once."""
    told_of: set[str] = set()
    lines = [f"## {words}\n" for words in differing(few, many)]
    lines += [f"## {v.page.name}: answered {v.status}\n" for v in many if v.status >= 500]
    for visited in many:
        for query in visited.queries:
            key = f"{query.sql} {query.params}"
            if key in plans and query.sql not in told_of:
                told_of.add(query.sql)
                lines += [f"## {visited.page.name}: {query.ms:.0f} ms", query.sql, plans[key], ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="1.0: a million attempts")
    parser.add_argument("--database-url", help="a PostgreSQL server; one is started here if absent")
    parser.add_argument("--only", default="", metavar="TEXT", help="only pages with this in them")
    parser.add_argument("--misses", type=Path, help="write each miss with its plan to a file")
    arguments = parser.parse_args()
    from tests.support.databases import own_postgresql

    server_url = arguments.database_url or own_postgresql(SERVER)
    os.environ |= {
        "MODE": "test",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": server_url,
    }
    import django

    django.setup()
    from bench.admin.asides import asides
    from bench.admin.visits import look_at_plans, visit_all

    # What a page is refused for is told by its status; what it failed for, by its trace.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    with filled_database(server_url, arguments.scale / 100) as client:
        few = visit_all(client, 1, arguments.only)
    with filled_database(server_url, arguments.scale) as client:
        many = visit_all(client, VISITS, arguments.only)
        plans = look_at_plans(many, SLOWEST)
        _give_up_after(0)
        compared = [] if arguments.only else list(asides())
    print(f"{'page':<88}{'':>5}{'q':>5}{'slowest':>9}{'queries':>9}{'page ms':>9}  scans")
    for visited in many:
        print(visited)
    if arguments.misses:
        arguments.misses.write_text(tell_misses(few, many, plans))
    print()
    found = [*figures(few, many), *compared]
    for figure in found:
        print(figure)
    return 0 if all(figure.met for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main())
