"""What a link can still do, and what is said when it can't do what is asked of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from assessments.models.links import AssessmentLink


class LinkState(models.TextChoices):
    """What a link can still do. Derived from timestamps, never stored."""

    UNUSED = "unused"
    IN_USE = "in-use"
    FINISHED = "finished"
    ENDED = "ended"
    EXPIRED = "expired"
    CLOSED = "closed"


class LinkUnavailable(Exception):
    """The link can't be started here; `state` says why."""

    def __init__(self, state: LinkState) -> None:
        super().__init__(state.value)
        self.state = state


class AnotherIssued(Exception):
    """The student has a newer link than whoever asks for one knows of."""

    def __init__(self, link: AssessmentLink) -> None:
        super().__init__(str(link))
        self.link = link


class NothingToContinue(Exception):
    """The attempt to be continued ended meanwhile; the link is still unused."""
