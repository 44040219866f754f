"""Visit pages, time their queries and explain them."""

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection, reset_queries
from django.test.utils import CaptureQueriesContext

from bench.admin.pages import Page, first_pages, further_pages

# Tables with more rows grow with the number of students, so queries must use an index. Scanning a
# smaller table takes some milliseconds.
BIG = 20_000
# The session's write happens once a minute, and the limits of transactions are cheap.
NOT_COUNTED = (
    *('UPDATE "django_session"', "BEGIN", "COMMIT"),
    *("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK"),
)
EXPLAINED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


class Query(NamedTuple):
    sql: str
    ms: float


@dataclass
class Visited:
    """A page and the cost of its visits."""

    page: Page
    status: int
    ms: float
    queries: list[Query]
    # An empty list needs fewer queries, so it is not compared.
    is_empty: bool = False
    scans: list[str] = field(default_factory=list)

    def __str__(self):
        slowest = max((query.ms for query in self.queries), default=0.0)
        total = sum(query.ms for query in self.queries)
        times = f"{slowest:>9.1f}{total:>9.1f}{self.ms:>9.0f}"
        counts = f"{self.status:>5}{len(self.queries):>5}"
        return f"{self.page.name[:88]:<88}{counts}{times}  {', '.join(self.scans)}"


def visit(client, page, times):
    """Open a page once to warm up, then `times` times. Return the fastest times and the text."""
    visits = []
    for _ in range(1 + times):
        reset_queries()  # of which Django keeps the last 9,000
        begun = time.perf_counter()
        with CaptureQueriesContext(connection) as captured:
            if page.data is None:
                response = client.get(page.path)
            else:
                response = client.post(page.path, dict(page.data))
            content = b"".join(response) if response.streaming else response.content
        ms = (time.perf_counter() - begun) * 1000
        queries = [Query(each["sql"], float(each["time"]) * 1000) for each in captured]
        visits.append((ms, [each for each in queries if not each.sql.startswith(NOT_COUNTED)]))
    visits = visits[1:]
    queries = max((queries for _, queries in visits), key=len)
    if all(len(each) == len(queries) for _, each in visits):
        alike = zip(*(each for _, each in visits), strict=True)
        queries = [min(each, key=lambda query: query.ms) for each in alike]
    text = content.decode(errors="replace")
    is_empty = 'class="paginator"' in text and 'id="result_list"' not in text
    return Visited(page, response.status_code, min(visits)[0], queries, is_empty), text


def visit_all(client, times):
    """Visit the first pages, and the pages that they link to."""
    waiting = list(first_pages())
    seen, found = set(), []
    for page in waiting:
        if (page.path, page.data) in seen:
            continue
        seen.add((page.path, page.data))
        visited, text = visit(client, page, times)
        found.append(visited)
        if page.leads_on and visited.status == 200:
            waiting += further_pages(page, text)
    return found


def scans_in(plan, big, *, limited=False):
    """Return the big tables that a plan scans completely.

    A scan without a condition under a LIMIT ends early, so it does not count.
    """
    kind = plan["Node Type"]
    is_bounded = limited and "Filter" not in plan
    if kind == "Seq Scan" and plan["Relation Name"] in big and not is_bounded:
        yield plan["Relation Name"]
    for inner in plan.get("Plans", ()):
        passes_on = kind in {"Limit", "Subquery Scan", "Nested Loop", "Append", "Result"}
        yield from scans_in(inner, big, limited=kind == "Limit" or (limited and passes_on))


def plans_of_misses(visits, slowest):
    """Record each page's scans; return the plans of queries that scan or are slow, by their SQL."""
    noted, plans = {}, {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE reltuples > %s", [BIG])
        big = {name for (name,) in cursor.fetchall()}
        for visited in visits:
            for query in visited.queries:
                key = query.sql
                if key.startswith(EXPLAINED) and key not in noted:
                    cursor.execute(f"EXPLAIN (FORMAT JSON) {key}")
                    [[[plan]]] = cursor.fetchall()
                    noted[key] = sorted(set(scans_in(plan["Plan"], big)))
                    if noted[key] or query.ms > slowest:
                        cursor.execute(f"EXPLAIN {key}")
                        plans[key] = "\n".join(line for (line,) in cursor.fetchall())
                visited.scans += noted.get(key, [])
    return plans
