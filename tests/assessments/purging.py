from assessments.models import retention


def purge(at):
    """Purge as of a moment; return what was deleted, by projectId and kind."""
    deleted = {}
    for project, counts in retention.purge(at, actor="command:tests"):
        of_project = deleted.setdefault(project.project_id if project else "", {})
        for kind, count in counts.items():
            of_project[kind] = of_project.get(kind, 0) + count
    return deleted
