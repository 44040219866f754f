"""Lists of large tables: counted up to a cap."""

import pytest

from partners import large_table_admin
from partners.large_table_admin import CappedPaginator
from partners.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_rows_are_counted_up_to_a_cap(project, monkeypatch):
    monkeypatch.setattr(large_table_admin, "MOST_COUNTED", 10)
    for _ in range(12):
        AuditEvent.record("project.changed", project, actor="tests")

    paginator = CappedPaginator(AuditEvent.objects.order_by("-pk"), 4)

    assert (paginator.count, paginator.counted, paginator.num_pages) == (10, "10 or more", 3)
    assert len(paginator.page(3)) == 2
