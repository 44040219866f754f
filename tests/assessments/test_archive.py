"""How many files of PostgreSQL's log wait for the archive, asked of a real server."""

import warnings

import dj_database_url
import pytest
from django.db import connection
from django.db.utils import ConnectionHandler

from assessments.support import attention
from tests.support.cluster import Cluster
from tests.support.programs import until

pytestmark = pytest.mark.django_db
ARCHIVES = "archive_mode = on\narchive_command = 'true'\nfsync = off\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Run a PostgreSQL that archives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wheel remarks on a missing XDG_RUNTIME_DIR
        made = Cluster(tmp_path_factory.mktemp("archive") / "postgresql", ARCHIVES)
        made.create()
    try:
        made.start()
        yield made
    finally:
        made.close()


@pytest.fixture
def archiving(cluster, monkeypatch):
    """Let the service ask that server; give its connection."""
    its = ConnectionHandler({"default": dj_database_url.parse(cluster.url)})["default"]
    monkeypatch.setattr(attention, "connection", its)
    yield its
    its.close()


def write_segment(its):
    with its.cursor() as cursor:
        cursor.execute("SELECT pg_logical_emit_message(false, 'test', 'text')")
        cursor.execute("SELECT pg_switch_wal()")


def test_segments_that_wait_for_a_failing_archive_are_counted(cluster, archiving):
    write_segment(archiving)
    until(lambda: attention.segments_waiting() == 0, 20)

    def fails():
        write_segment(archiving)  # the archiver reads its settings when it likes
        with archiving.cursor() as cursor:
            cursor.execute("SELECT failed_count FROM pg_stat_archiver")
            return bool(cursor.fetchone()[0])

    with cluster.altered({"archive_command": "false"}):
        until(fails, 20)
        waiting = attention.segments_waiting()
        assert waiting
        for _ in range(2):
            write_segment(archiving)
        # The last one is complete and the one in use is not.
        assert attention.segments_waiting() == waiting + 2


@pytest.mark.parametrize(
    ("newest", "segment"),
    [
        ("NULL", None),
        ("'00000002.history'", None),
        ("'000000010000000000000001.00000028.backup'", 1),
    ],
)
def test_failures_count_before_a_segment(archiving, newest, segment):
    with archiving.cursor() as cursor:
        cursor.execute("CREATE SCHEMA IF NOT EXISTS as_if")
        cursor.execute("DROP VIEW IF EXISTS as_if.pg_stat_archiver")
        cursor.execute(
            "CREATE VIEW as_if.pg_stat_archiver AS"
            f" SELECT {newest}::text AS last_archived_wal, 2 AS failed_count"
        )
        cursor.execute("SET search_path = as_if, pg_catalog")
        cursor.execute("SELECT (pg_current_wal_lsn() - '0/0')::bigint / 16777216")
        [current] = cursor.fetchone()
        waiting = 2 if segment is None else current - segment - 1
        assert attention.segments_waiting() == waiting


def test_without_an_archive_nothing_is_said():
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW archive_mode")
            assert cursor.fetchone() == ("off",)

    assert attention.segments_waiting() is None
