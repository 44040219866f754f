"""What several worker processes count is one sum, and a death of one of them loses none of it."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from config import metric_files
from tests.support.databases import free_port
from tests.support.programs import until
from tests.support.server import ROOT

METRICS_TOKEN = "m" * 32
SERVER = """
import os, sys
from pathlib import Path
from config import metric_files

metric_files._MEMORY = Path(sys.argv[1])
metric_files.make()
print(os.environ[metric_files.VARIABLE], flush=True)
sys.stdin.read()
metric_files.remove()
"""


def test_a_folder_is_removed_by_its_server_and_a_killed_ones_by_the_next(tmp_path):
    def start():
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(tmp_path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout
        return process, Path(process.stdout.readline().strip())

    (living, folder), (killed, left) = start(), start()
    assert folder.stat().st_mode & 0o777 == 0o700  # for nobody else
    (left / "counter_0.db").touch()
    killed.kill()
    killed.communicate(timeout=10)
    assert left.exists()

    following, third = start()

    assert sorted(tmp_path.iterdir()) == sorted([folder, third])
    living.communicate(timeout=10)
    following.communicate(timeout=10)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("taken", "free"), [([], 0), ([0], 1), ([1], 0), ([0, 1], 2), ([2, 0], 1)])
def test_a_worker_gets_the_lowest_number_that_is_free(taken, free):
    assert metric_files.free_number(taken) == free


def status_of_a_call(service):
    try:
        with urllib.request.urlopen(f"{service.url}/partner/get-redirect-url", b"{}", 10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def call(service, times):
    """Make calls, eight at a time so that both workers answer; return the statuses."""
    with ThreadPoolExecutor(8) as pool:
        return set(pool.map(lambda _: status_of_a_call(service), range(times)))


def counted(service, name, **labels):
    """Return the sum of a metric's samples with these labels, as any of the workers says."""
    request = urllib.request.Request(
        f"{service.url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return sum(each.value for each in samples if labels.items() <= each.labels.items())


def refused(service):
    labels = {"operation": "get-redirect-url", "status": "401"}
    return counted(service, "assess_requests_total", **labels)


def workers(service):
    children = Path(f"/proc/{service.pid}/task/{service.pid}/children").read_text().split()
    return [int(child) for child in children]


def counting(service):
    """Return the files that the living workers count in."""
    maps = [Path(f"/proc/{worker}/maps").read_text().split() for worker in workers(service)]
    return sorted({Path(word) for words in maps for word in words if "/assess-metrics-" in word})


@pytest.mark.slow
def test_each_worker_says_what_all_have_counted_and_a_killed_one_loses_no_count(start_service):
    away = f"redis://127.0.0.1:{free_port()}/0"
    service = start_service(METRICS_TOKEN=METRICS_TOKEN, WEB_CONCURRENCY="2", REDIS_URL=away)
    before = refused(service)

    assert call(service, 40) == {401}

    # Which of the two answers is up to the system: each alone has counted a part of them.
    assert {refused(service) for _ in range(8)} == {before + 40}
    [folder] = {file.parent for file in counting(service)}
    files, killed = sorted(folder.iterdir()), workers(service)[0]

    os.kill(killed, signal.SIGKILL)
    until(lambda: killed not in workers(service) and len(workers(service)) == 2, 20)

    assert refused(service) == before + 40
    call(service, 20)
    assert refused(service) == before + 60
    # The one that has replaced it goes on in its files, once a call reaches it.
    until(lambda: call(service, 8) and counting(service) == files, 20)
    assert sorted(folder.iterdir()) == files
    service.stop()
    assert not folder.exists()
