"""gunicorn's lines have the path and the kind of error, and nothing else of the request."""

from __future__ import annotations

import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from config.logging import GunicornLines


class GunicornLogger(GunicornLines, Logger):
    """What gunicorn.conf.py makes of our lines."""


class TestGunicornsErrorLine:
    """gunicorn quotes the request in its errors; our lines do not."""

    @pytest.mark.parametrize(
        ("message", "kept"),
        [
            ("ip=10.0.0.1: Invalid HTTP Header: 'x: AbC'", "ip=10.0.0.1: Invalid HTTP Header"),
            ("ip=::1: Invalid HTTP method: 'AbC: %s'", "ip=::1: Invalid HTTP method"),
            ('ip=: Invalid HTTP Version: "AbC\'?x"', "ip=: Invalid HTTP Version"),
            (
                "ip=::1: Invalid chunk terminator is not '\\r\\n': 'AbC'",
                "ip=::1: Invalid chunk terminator is not",
            ),
            (
                "ip=10.0.0.1: Request Line is too large (4100 > 4094)",
                "ip=10.0.0.1: Request Line is too large (4100 > 4094)",
            ),
        ],
    )
    def test_only_the_kind_of_a_bad_request_is_kept(
        self, capsys: pytest.CaptureFixture[str], message: str, kept: str
    ) -> None:
        logger = GunicornLogger(Config())

        logger.warning(f"Invalid request from {message}")

        written = json.loads(capsys.readouterr().err)["message"]
        assert written == f"Invalid request from {kept}"

    def test_no_error_has_a_query_string(self, capsys: pytest.CaptureFixture[str]) -> None:
        logger = GunicornLogger(Config())

        logger.error("Error handling request %s %s", "GET", "/path?name=AbC\x85AbC&x=%s")

        written = json.loads(capsys.readouterr().err)["message"]
        assert written == "Error handling request GET /path"


class TestAccessLine:
    """gunicorn's line for each request."""

    def write(self, capsys: pytest.CaptureFixture[str], **environ: str) -> str:
        config = Config()
        config.set("accesslog", environ.pop("accesslog", "-") or None)
        logger = GunicornLogger(config)
        response = SimpleNamespace(status="200 OK", sent=12, headers=[])
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": "/prj_a/assessment",
            "RAW_URI": "/prj_a/assessment?token=AbC-123_x",
            "QUERY_STRING": "token=AbC-123_x",
            "HTTP_REFERER": "http://x/?token=AbC-123_x",
            "REMOTE_ADDR": "10.0.0.1",
            "service.request_id": "request-1",
            **environ,
        }
        logger.access(response, None, environ, timedelta(milliseconds=3.21))
        return capsys.readouterr().out

    def test_it_has_the_path_and_not_the_query(self, capsys: pytest.CaptureFixture[str]) -> None:
        written = self.write(capsys, HTTP_USER_AGENT="agent")

        assert "AbC-123_x" not in written
        entry = json.loads(written)
        assert entry["path"] == "/prj_a/assessment"
        assert entry["status"] == 200
        assert entry["milliseconds"] == 3.2
        assert entry["address"] == "10.0.0.1"
        assert entry["request_id"] == "request-1"

    def test_it_has_the_client_behind_the_proxy(self, capsys: pytest.CaptureFixture[str]) -> None:
        written = self.write(capsys, **{"service.client_address": "1.2.3.4"})

        assert json.loads(written)["address"] == "1.2.3.4"

    def test_a_secret_in_the_path_is_hidden(self, capsys: pytest.CaptureFixture[str]) -> None:
        written = self.write(capsys, PATH_INFO="/sec_abc/asha@example.com")

        assert json.loads(written)["path"].replace("[hidden]", "") == "/"

    def test_it_can_be_switched_off(self, capsys: pytest.CaptureFixture[str]) -> None:
        written = self.write(capsys, accesslog="")

        assert written == ""
