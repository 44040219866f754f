"""What several worker processes count is one sum, and a death of one of them loses none of it."""

import os
import signal
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.databases import free_port
from tests.support.programs import until
from tokens import crypto

METRICS_TOKEN = "m" * 32
WRONG = f"tok_0000000000000000:{crypto.new_secret()}"
IN_MEMORY = "assess_limit_counted_in_memory_total"


def status_of_a_call(service):
    """Call with a wrong credential, which the limiter counts."""
    url, headers = f"{service.url}/partner/get-redirect-url", {"X-Access-Token": WRONG}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, b"{}", headers), timeout=10
        ) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def call(service, times):
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


@pytest.mark.slow
def test_each_worker_says_what_all_have_counted_and_a_killed_one_loses_no_count(start_service):
    away = f"redis://127.0.0.1:{free_port()}/0"
    service = start_service(
        METRICS_TOKEN=METRICS_TOKEN,
        WEB_CONCURRENCY="2",
        REDIS_URL=away,
        FAILED_CREDENTIALS_PER_MINUTE="1000",
    )
    before = refused(service)

    assert call(service, 40) == {401}

    # Which of the two answers is up to the system: each alone has counted a part of them.
    assert {refused(service) for _ in range(8)} == {before + 40}
    # Redis is away. A counter without labels is made before the workers are forked.
    assert {counted(service, IN_MEMORY) for _ in range(8)} == {40}
    assert counted(service, "assess_workers_ended_total") == 0
    # The files that the living workers count in.
    maps = "".join(Path(f"/proc/{each}/maps").read_text() for each in workers(service))
    [folder] = {Path(word).parent for word in maps.split() if "/assess-metrics-" in word}
    killed = workers(service)[0]

    os.kill(killed, signal.SIGKILL)
    until(lambda: killed not in workers(service) and len(workers(service)) == 2, 20)

    assert refused(service) == before + 40
    assert counted(service, "assess_workers_ended_total") == 1
    call(service, 20)
    assert refused(service) == before + 60
    service.stop()
    assert not folder.exists()
