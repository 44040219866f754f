"""Whether a project is ready for its first student."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from partners.models import Project


@dataclass(frozen=True)
class Readiness:
    is_closed: bool
    has_token: bool
    has_courses: bool

    @property
    def is_complete(self) -> bool:
        return self.has_token and self.has_courses and not self.is_closed


def readiness(project: Project, at: datetime | None = None) -> Readiness:
    """Return whether the project is open and has a token and courses."""
    return Readiness(
        is_closed=project.is_closed,
        has_token=project.access_tokens.live(at).exists(),
        has_courses=project.courses.active().exists(),
    )
