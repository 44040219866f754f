"""Lists of large tables: counted up to a cap, newest first, filtered by project and period."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from time_machine import travel

from partners import large_table_admin
from partners.admin_base import ListedFilters
from partners.large_table_admin import CappedPaginator, LargeTableAdmin, PeriodFilter, ProjectFilter
from partners.models import AuditEvent
from tests.factories import ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


class EventList(LargeTableAdmin, ListedFilters):
    list_display = ("at", "action", "object_id")
    list_filter = (ProjectFilter, PeriodFilter.on("at"))
    search_fields = ("object_id__exact",)


def listing(**query):
    """Return the list of audit events as a superuser sees it."""
    request = RequestFactory().get("/", query)
    request.user = UserFactory.create(is_superuser=True)
    response = EventList(AuditEvent, admin.site).changelist_view(request)
    return response.render() if hasattr(response, "render") else response


def text(response):
    return " ".join(response.content.decode().split())


def events_of(project, count=1):
    return [AuditEvent.record("project.changed", project, actor="tests") for _ in range(count)]


def shown(response):
    """Return the keys of the rows shown, in their order."""
    return [event.pk for event in response.context_data["cl"].result_list]


def test_rows_are_counted_up_to_a_cap(project, monkeypatch):
    monkeypatch.setattr(large_table_admin, "MOST_COUNTED", 10)
    events_of(project, 12)

    paginator = CappedPaginator(AuditEvent.objects.order_by("-pk"), 4)

    assert (paginator.count, paginator.counted, paginator.num_pages) == (10, "10 or more", 3)
    assert len(paginator.page(3)) == 2


def test_a_page_reads_no_rows_before_it(project, django_assert_num_queries):
    keys = [event.pk for event in events_of(project, 9)][::-1]
    events = AuditEvent.objects.with_staff_names().order_by("-pk")

    with django_assert_num_queries(2) as queries:
        shown = list(CappedPaginator(events, 4).page(2))

    assert [event.pk for event in shown] == keys[4:8]
    rows = queries[1]["sql"]
    assert "staff_name" in rows
    assert all(str(key) in rows for key in keys[4:8])
    assert "OFFSET" not in rows


def test_the_list_is_sorted_newest_first_whatever_the_address_asks(project):
    keys = [event.pk for event in events_of(project, 3)]

    for order in ("1", "-1", "2.3", "9", "x", ""):
        assert shown(listing(o=order)) == sorted(keys, reverse=True)


@pytest.mark.parametrize(
    "asked",
    ["0", "9" * 400, "prj_AAAAAAAAAAAAAAAA", "no such name", "x" * 5000, "a\0b", "-1", "٣", "%"],
)
def test_the_list_is_narrowed_to_one_project_or_to_none(asked):
    mine = ProjectFactory.create(name="Hill College")
    [wanted], _ = events_of(mine), events_of(ProjectFactory.create())

    for right in (str(mine.pk), mine.project_id, "hill coll"):
        response = listing(project=right)
        assert shown(response) == [wanted.pk]
        assert "Hill College" in text(response)
        assert '<li > <a href="?">All</a>' in text(response)
    response = listing(project=asked)
    assert response.status_code == 200
    assert shown(response) == []
    assert "No project matches" in text(response)


@pytest.mark.parametrize(
    ("period", "hours"), [("today", 9), ("7", 7 * 24), ("30", 30 * 24), ("90", 90 * 24)]
)
def test_the_list_is_narrowed_to_a_period(project, period, hours):
    at = datetime(2026, 11, 20, 9, tzinfo=UTC)
    since = at - timedelta(hours=hours)
    inside = AuditEvent.record("project.changed", project, at=since, actor="tests")
    before = since - timedelta(milliseconds=1)
    AuditEvent.record("project.changed", project, at=before, actor="tests")

    with travel(at, tick=False):
        assert shown(listing(period=period)) == [inside.pk]


def test_the_list_takes_as_many_queries_for_more_rows_and_projects(project):
    def queries(**query):
        with CaptureQueriesContext(connection) as captured:
            listing(**query)
        return len(captured)

    events_of(project)
    before = queries(), queries(project=str(project.pk))
    ProjectFactory.create_batch(30)
    events_of(project, 30)

    assert (queries(), queries(project=str(project.pk))) == before
