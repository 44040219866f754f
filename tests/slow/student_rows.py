"""The rows of one project, as the model of tests/slow/student_model has them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import F

from assessments.models import Answer, Assessment, AssessmentLink
from assessments.models.digests import secret_digest
from partners.models import Project
from tests.slow.student_model import Attempt, Link, Model
from tests.support import invariants

TIMES: Mapping[type[models.Model], tuple[str, ...]] = {
    AssessmentLink: ("issued_at", "expires_at", "used_at"),
    Assessment: (
        *("consented_at", "started_at", "finish_by_at", "completed_at", "abandoned_at"),
        "moved_at",
    ),
}
OF_AN_ATTEMPT = (
    "pk",
    "assessment_id",
    "student__email_key",
    "browser_digest",
    "completed_at",
    "abandoned_at",
    "moves",
)


def email_of(student: int) -> str:
    return f"student{student}@example.com"


@dataclass
class Rows:
    """Which row is which link and attempt of the model; `check` compares them.

    `tokens` are the link tokens; `secrets` those of the browsers' CSRF cookies, by browser.
    """

    project: Project
    tokens: dict[Link, str] = field(default_factory=dict)
    names: dict[Attempt, str] = field(default_factory=dict)
    _keys: dict[Link | Attempt, int] = field(default_factory=dict)
    _items: dict[tuple[int, int], int] = field(default_factory=dict)
    _stored: object = None
    _ends: invariants.Ends = field(default_factory=dict)

    def add(self, link: Link, link_token: str) -> None:
        """Note the row of a link that was issued."""
        self.tokens[link] = link_token
        row = AssessmentLink.objects.get(token_digest=secret_digest(link_token))
        assert row.student.project == self.project
        assert row.student.email_key == email_of(link.student)
        self._keys[link] = row.pk

    def pass_time(self, student: int, hours: int) -> None:
        """Move all times of a student's rows into the past."""
        ago, email_key = timedelta(hours=hours), email_of(student)
        for model, names in TIMES.items():
            rows = model._default_manager.filter(
                student__project=self.project, student__email_key=email_key
            )
            rows.update(**{name: F(name) - ago for name in names})
        answers = Answer.objects.filter(
            assessment__student__project=self.project, assessment__student__email_key=email_key
        )
        answers.update(shown_at=F("shown_at") - ago, answered_at=F("answered_at") - ago)
        self._ends = invariants.ends()
        self.look_again()

    def look_again(self) -> None:
        """Check all at the next `check`, though no row of a student may have changed."""
        self._stored = None

    def check(self, model: Model, secrets: Sequence[str]) -> None:
        """Raise AssertionError if a row is not as it must be, or an invariant is broken."""
        stored = self._read()
        if stored == self._stored:
            return
        links, attempts, answers = stored
        self._name(model, attempts)
        assert [(key, used_at is None, attempt) for key, used_at, attempt in links] == [
            self._link(link) for link in model.links
        ]
        assert [
            (key, email_key, digest, completed_at is None, abandoned_at is None, moves)
            for key, _, email_key, digest, completed_at, abandoned_at, moves in attempts
        ] == [self._attempt(attempt, secrets) for attempt in model.attempts]
        assert {(key, position): choice for key, position, _, choice in answers} == {
            (self._keys[attempt], position): attempt.choices.get(position)
            for attempt in model.attempts
            for position in range(1, attempt.shown + 1)
        }
        for key, position, item, _ in answers:
            assert self._items.setdefault((key, position), item) == item, "another item was shown"
        assert invariants.violations() == []
        ends = invariants.ends()
        assert invariants.changed(self._ends, ends) == []
        self._stored, self._ends = stored, ends

    def _read(self) -> tuple[list[Any], list[Any], list[Any]]:
        links = AssessmentLink.objects.filter(student__project=self.project)
        attempts = Assessment.objects.filter(student__project=self.project)
        answers = Answer.objects.filter(assessment__student__project=self.project)
        return (
            list(links.order_by("pk").values_list("pk", "used_at", "assessment")),
            list(attempts.order_by("pk").values_list(*OF_AN_ATTEMPT)),
            list(answers.values_list("assessment", "position", "item", "choice")),
        )

    def _name(self, model: Model, attempts: list[Any]) -> None:
        """Note the rows of the attempts that were begun since."""
        assert len(attempts) == len(model.attempts)
        for attempt, row in zip(model.attempts, attempts, strict=True):
            self._keys[attempt], self.names[attempt] = row[:2]

    def _link(self, link: Link) -> tuple[Any, ...]:
        used = link.attempt
        return self._keys[link], used is None, used and self._keys[used]

    def _attempt(self, attempt: Attempt, secrets: Sequence[str]) -> tuple[Any, ...]:
        browser, link = attempt.holder
        browser_token = hashlib.sha256(f"{secrets[browser]}:{self.tokens[link]}".encode())
        return (
            self._keys[attempt],
            email_of(attempt.student),
            secret_digest(browser_token.hexdigest()),
            attempt.end != "completed",
            attempt.end not in {"left", "replaced"},
            attempt.moves,
        )
