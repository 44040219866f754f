"""Requests are counted by one of a few names and by status, whatever ends them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pytest
from pytest_django import Settings

from config import metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

PROJECT = "prj_0123456789abcdef"


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "/partner/get-redirect-url", "get-redirect-url"),
        ("POST", "/partner/get-assessments-info", "get-assessments-info"),
        ("GET", f"/{PROJECT}/assessment", "landing"),
        ("HEAD", f"/{PROJECT}/assessment", "landing"),
        ("POST", f"/{PROJECT}/assessment", "start"),
        ("GET", f"/{PROJECT}/assessment/7", "question"),
        ("POST", f"/{PROJECT}/assessment/7", "answer"),
        ("GET", f"/{PROJECT}/assessment/subjects", "question"),
        ("POST", f"/{PROJECT}/assessment/subjects", "answer"),
        ("POST", f"/{PROJECT}/assessment/leave", "leave"),
        ("GET", f"/{PROJECT}/assessment/result", "result"),
        ("GET", "/admin/", "admin"),
        ("GET", "/docs/", "docs"),
        ("GET", "/openapi.json", "docs"),
        ("GET", "/static/student.1f.css", "static"),
        ("GET", "/healthz", "probe"),
        ("GET", "/metrics", "probe"),
    ],
)
def test_a_request_has_the_name_of_what_it_asks_for(method: str, path: str, name: str) -> None:
    assert metrics.operation(method, path) == name
    assert name in metrics.OPERATIONS


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "*",
        "/partner/",
        "/partner/get-redirect-url/",
        f"/{PROJECT}/assessment/12345",
        f"/{PROJECT}x/assessment",
        f"/{PROJECT}/assessment\n",
        "/asha.rao@example.com",
        "/\u00e9\x00",
    ],
)
def test_whatever_else_is_sent_shares_one_name(path: str) -> None:
    assert metrics.operation("GET", path) == "other"


def serve(settings: Settings, application: WSGIApplication, path: str) -> list[str]:
    """Have an application counted, ask it for a path, and return the status lines."""
    settings.METRICS_TOKEN = "x" * 32
    lines: list[str] = []
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
    }
    answer = metrics.counted(application)(
        environ, lambda line, headers, exc_info=None: lines.append(line) or (lambda _: None)
    )
    list(answer)
    return lines


def count(operation: str, status: str) -> float:
    """Return how many such requests were counted so far, here in one process."""
    samples = [sample for metric in metrics.REQUESTS.collect() for sample in metric.samples]
    wanted = {"operation": operation, "status": status}
    return sum(
        each.value for each in samples if each.name.endswith("_total") and each.labels == wanted
    )


def timed(operation: str) -> float:
    samples = [sample for metric in metrics.SECONDS.collect() for sample in metric.samples]
    wanted = {"operation": operation}
    return sum(
        each.value for each in samples if each.name.endswith("_count") and each.labels == wanted
    )


def unavailable(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response("503 Service Unavailable", [])
    return [b"{}"]


def test_an_answer_is_counted_by_its_status_and_timed(settings: Settings) -> None:
    before = count("probe", "503"), timed("probe")

    lines = serve(settings, unavailable, "/readyz")

    assert lines == ["503 Service Unavailable"]
    assert (count("probe", "503"), timed("probe")) == (before[0] + 1, before[1] + 1)


def test_what_raises_through_everything_is_a_500(settings: Settings) -> None:
    def application(environ: dict[str, Any], start_response: object) -> Iterable[bytes]:
        raise RuntimeError("beyond Django")

    before = count("other", "500")

    with pytest.raises(RuntimeError, match="beyond Django"):
        serve(settings, application, "/nothing")

    assert count("other", "500") == before + 1
