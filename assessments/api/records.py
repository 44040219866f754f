"""The wire form of a finished attempt, for the API and for exports."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from assessments.models.attempt_states import Status
from assessments.models.attempts import Assessment
from assessments.models.outcomes import Outcome


def record(attempt: Assessment | Outcome) -> dict[str, Any]:
    """Return the four-field record of a finished attempt."""
    return {
        "AssessmentId": attempt.assessment_id,
        "Status": (Status.COMPLETED if attempt.completed_at else Status.ABANDONED).value,
        "Recommendations": attempt.recommended_names,
        "AssessmentDuration": duration_text(attempt.duration),
    }


def duration_text(duration: timedelta) -> str:
    """Return `<minutes>m <seconds>s`: minutes unbounded, seconds 0-59, rounded down."""
    minutes, seconds = divmod(int(duration.total_seconds()), 60)
    return f"{minutes}m {seconds}s"
