"""How far PostgreSQL's archive of the write-ahead log (WAL) is behind."""

from __future__ import annotations

from django.db import connection

# The last 16 digits of a file's name are the number of its 4 GB, and that of the segment within.
# A server that has just become the primary, or was restored, has archived no segment yet, or the
# history of its timeline alone: failures are all that it can count.
_WAITING = """
WITH wal AS (SELECT setting::bigint AS size FROM pg_settings WHERE name = 'wal_segment_size'),
newest AS (
    SELECT failed_count, substring(last_archived_wal FROM '^[0-9A-F]{24}') AS name
    FROM pg_stat_archiver
),
archived AS (
    SELECT failed_count, ('x' || substr(name, 9, 8))::bit(32)::bigint * (4294967296 / size)
        + ('x' || substr(name, 17, 8))::bit(32)::bigint AS number
    FROM newest, wal
)
SELECT greatest(
    0, coalesce(floor((pg_current_wal_lsn() - '0/0') / size)::bigint - number - 1, failed_count)
)
FROM archived, wal WHERE current_setting('archive_mode') <> 'off' AND NOT pg_is_in_recovery()
"""


def segments_waiting() -> int | None:
    """Return how many whole segments of WAL the primary has still to archive.

    Until it has archived one, how often that failed. None if it archives nothing (`archive_mode`),
    and on SQLite.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        row = cursor.fetchone()
    return int(row[0]) if row else None
