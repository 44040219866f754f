"""Visit every page of the admin with a million attempts, and check every query.

    python -m bench.admin [--scale 1.0]

A superuser opens every page of the site's URLs, and the filters, orders, pages and searches that
these offer. Each row of the table is a page: its status, the number of its queries; the
milliseconds of the slowest, of all, and of the whole page; and the big tables that it scans. Times
are those of the fastest of three visits, because other programs only add to them. Exit status 1 on
a miss.
"""

import argparse
import logging
import os
import sys

from lab.figures import at_most, exactly, exit_status, reported
from tests.support.databases import own_postgresql

SLOWEST, MOST_QUERIES = 200.0, 40
# Usual for this much data; the default, 128 MB, is smaller than one index.
SERVER = "shared_buffers = 1GB\n"


def figures(few, many):
    """Print the pages that failed or differ; yield the figures."""
    before = {visited.page.name: visited for visited in few}
    differing = [
        f"{now.page.name}: {len(then.queries)} queries with few rows, {len(now.queries)} with many"
        for now in many
        if (then := before.get(now.page.name, now)).is_empty == now.is_empty
        and len(then.queries) != len(now.queries)
    ]
    failed = [f"{v.page.name}: answered {v.status}" for v in many if v.status >= 500]
    print(*differing, *failed, sep="\n")
    slowest = max(ms for visited in many for ms, _ in visited.queries)
    scanning = sum(bool(visited.scans) for visited in many)
    yield reported("pages visited", len(many))
    yield exactly("pages that failed", len(failed), 0)
    yield exactly("pages with another number of queries than with few rows", len(differing), 0)
    yield at_most("queries of a page, the most", max(len(v.queries) for v in many), MOST_QUERIES)
    yield at_most("the slowest query, ms", slowest, SLOWEST)
    yield exactly("pages that read a big table without an index", scanning, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="1.0: a million attempts")
    scale = parser.parse_args().scale
    server_url = own_postgresql(SERVER)
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": server_url}
    os.environ |= {"MODE": "test", **settings}
    import django

    django.setup()
    from bench.admin.rows import filled_database
    from bench.admin.visits import asides, explain, visit_all

    # A refused page shows in its status; only a failed one needs its traceback here.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    with filled_database(server_url, scale / 100):
        few = visit_all(1)
    with filled_database(server_url, scale):
        many = visit_all(3)
        explain(many, SLOWEST)
        compared = list(asides())
    print(f"{'page':<88}{'':>5}{'q':>5}{'slowest':>9}{'queries':>9}{'page ms':>9}  scans")
    print(*many, sep="\n")
    return exit_status([*figures(few, many), *compared])


if __name__ == "__main__":
    sys.exit(main())
