"""The partner of the students' model: its backend calls, and staff end its token now and then."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.core.cache import caches
from django.http import HttpResponse

from partners.models import Project
from tests.assessments.attempts import token_of
from tests.assessments.partner import Backend
from tests.factories import CourseFactory
from tests.slow.student_model import Model
from tests.slow.student_rows import Rows, email_of

COMMAND = "command:tests"
COURSES = 2


class ModelPartner:
    """Acts on the service as on the model, and asserts that both say the same.

    With `is_stale` a call is made with a token that ended, if there is one.
    """

    def __init__(self, project: Project, model: Model, rows: Rows) -> None:
        CourseFactory.create_batch(COURSES, project=project)
        self._model, self._rows = model, rows
        self._backend = Backend.of(project)
        self._ended: list[Backend] = []

    def issue(self, student: int, *, number: int = 0, is_stale: bool = False) -> None:
        """Ask for a link with one of two mobile numbers."""
        mobile = f"98765 4321{int(number)}"
        response = self._caller(is_stale).link(email=email_of(student), mobile=mobile)
        if self._is_let_in(response, is_stale):
            url = json.loads(response.content)["redirect-url"]
            self._rows.add(self._model.issue(student, number), token_of(url))

    def results(self, student: int, *, is_stale: bool = False) -> None:
        """Ask for a student's results."""
        response = self._caller(is_stale).results(email=email_of(student))
        if self._is_let_in(response, is_stale):
            assert [_in_short(record) for record in json.loads(response.content)] == [
                (self._rows.names[attempt], status, COURSES if status == "Completed" else 0)
                for attempt, status in self._model.results(student)
            ]

    def revoke(self) -> None:
        """End the token, and have another one."""
        self._ended.append(self._backend)
        assert self._backend.token.revoke(actor=COMMAND)
        self._backend = Backend.of(self._backend.project)
        self._rows.look_again()

    def rotate(self) -> None:
        """End the token at once, and go on with its successor."""
        self._ended.append(self._backend)
        successor, secret = self._backend.token.rotate(overlap=timedelta(0), actor=COMMAND)
        self._backend = Backend(self._backend.project, f"{successor}:{secret}")
        self._rows.look_again()

    def _caller(self, is_stale: bool) -> Backend:
        # An ended token is refused for what it is, however often it comes in a minute.
        caches["limits"].clear()
        return self._ended[-1] if is_stale and self._ended else self._backend

    def _is_let_in(self, response: HttpResponse, is_stale: bool) -> bool:
        is_refused = is_stale and bool(self._ended)
        assert response.status_code == (401 if is_refused else 200)
        return not is_refused


def _in_short(record: dict[str, Any]) -> tuple[str, str, int]:
    return record["AssessmentId"], record["Status"], len(record["Recommendations"])
