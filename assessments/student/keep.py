"""The template context of "Keep this page", the last section of a result."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.urls import reverse

from assessments.models.attempts import Assessment
from assessments.models.private_links import PrivateLink


def keep_section(attempt: Assessment, at: datetime) -> dict[str, Any]:
    """Return the context of `_keep.html`."""
    project_id = attempt.student.project.project_id
    link = PrivateLink.objects.working(at).filter(assessment=attempt).first()
    return {
        "visible_until": attempt.result_visible_until,
        "link_until": link.expires_at if link else None,
        "link_url": reverse("private-link", args=[project_id]),
        "forget_url": reverse("forget", args=[project_id]),
    }
