"""Visit pages, time their queries and explain them."""

import io
import re
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pprint import pformat

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, reset_queries
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assessments.figures.counts import count_by_day
from bench.admin.pages import Page, first_pages, further_pages
from lab.figures import at_most, reported
from partners.models import Project

# Tables with more rows grow with the number of students, so queries must use an index. Scanning a
# smaller table takes some milliseconds.
BIG = 20_000
# The session's write happens once a minute.
COUNTED = re.compile('(?!UPDATE "django_session")(SELECT|INSERT|UPDATE|DELETE|WITH)')


@dataclass
class Visited:
    """A page and the cost of its visits."""

    page: Page
    status: int
    ms: float
    queries: list[tuple[float, str]]  # milliseconds and SQL
    # An empty list needs fewer queries, so it is not compared.
    is_empty: bool = False
    scans: set[str] = field(default_factory=set)

    def __str__(self):
        spent = [ms for ms, _ in self.queries]
        times = f"{max(spent, default=0.0):>9.1f}{sum(spent):>9.1f}{self.ms:>9.0f}"
        counts = f"{self.status:>5}{len(self.queries):>5}"
        return f"{self.page.name[:88]:<88}{counts}{times}  {', '.join(self.scans)}"


def visit(client, page, times):
    """Open a page once to warm up, then `times` times; return the fastest visit and the text."""
    visits = []
    for _ in range(1 + times):
        reset_queries()  # of which Django keeps the last 9,000
        begun = time.perf_counter()
        with CaptureQueriesContext(connection) as captured:
            response = (
                client.post(page.path, {"q": page.term}) if page.term else client.get(page.path)
            )
            text = b"".join(response).decode(errors="replace")
        ms = (time.perf_counter() - begun) * 1000
        queries = [
            (float(each["time"]) * 1000, each["sql"])
            for each in captured
            if COUNTED.match(each["sql"])
        ]
        is_empty = 'class="paginator"' in text and 'id="result_list"' not in text
        visits.append(Visited(page, response.status_code, ms, queries, is_empty))
    return min(visits[1:], key=lambda each: each.ms), text


def visit_all(times):
    """Visit the first pages, and the pages that they link to, as a superuser."""
    client = Client(raise_request_exception=False, SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.create_superuser("measuring"))
    found, waiting = {}, list(first_pages())
    for page in waiting:
        if (page.path, page.term) not in found:
            found[page.path, page.term], text = visit(client, page, times)
            waiting += further_pages(page, text) if page.leads_on else ()
    return list(found.values())


def asides():
    """Time figures, and an export of the largest project."""
    begun, today = time.monotonic(), timezone.now().date()
    count_by_day(Project.objects.all(), today - timedelta(days=89), today)
    yield at_most("figures of all projects over 90 days, s", time.monotonic() - begun, 1.5)
    project, csv, begun = Project.objects.order_by("pk")[0], io.StringIO(), time.monotonic()
    call_command("export_results", project.project_id, stdout=csv, stderr=io.StringIO())
    what = f"{csv.tell() / 1e6:.1f} MB of CSV"
    yield reported("export_results, the largest project, s", time.monotonic() - begun, what)


def scans_in(plan, big, *, limited=False):
    """Yield the big tables that a plan scans completely. With LIMIT, only a filter needs that."""
    kind = plan["Node Type"]
    is_bounded = limited and "Filter" not in plan
    if kind == "Seq Scan" and plan["Relation Name"] in big and not is_bounded:
        yield plan["Relation Name"]
    for inner in plan.get("Plans", ()):
        passes_on = kind in {"Limit", "Subquery Scan", "Nested Loop", "Append", "Result"}
        yield from scans_in(inner, big, limited=kind == "Limit" or (limited and passes_on))


def explain(visits, slowest):
    """Note the big tables that each page scans. Print queries that scan or are slow, with plans."""
    noted = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE reltuples > %s", [BIG])
        big = {name for (name,) in cursor.fetchall()}
        for visited, (ms, sql) in [(each, query) for each in visits for query in each.queries]:
            if sql not in noted:
                cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
                [[[plan]]] = cursor.fetchall()
                scans = noted[sql] = set(scans_in(plan["Plan"], big))
                if scans or ms > slowest:
                    print(f"{visited.page.name}: {ms:.0f} ms\n{sql}\n{pformat(plan)}")
            visited.scans |= noted[sql]
