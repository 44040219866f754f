"""Lists of large tables: counted up to a cap, newest first, filtered by project and period."""

import pytest

from partners import large_table_admin
from partners.large_table_admin import CappedPaginator
from partners.models import AuditEvent

pytestmark = pytest.mark.django_db


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
