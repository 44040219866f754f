from __future__ import annotations

from datetime import datetime

from assessments.models import retention


def purge(at: datetime) -> dict[str, dict[str, int]]:
    """Purge as of a moment; return what was deleted, by projectId and kind."""
    deleted: dict[str, dict[str, int]] = {}
    for project, counts in retention.purge(at, actor="command:tests"):
        of_project = deleted.setdefault(project.project_id if project else "", {})
        for kind, count in counts.items():
            of_project[kind] = of_project.get(kind, 0) + count
    return deleted
