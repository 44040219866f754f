"""Addresses of the student pages. They contain no token after the start."""

from __future__ import annotations

from django.urls import path, register_converter

from assessments.student import (
    attempt_views,
    keep_views,
    link_views,
    result_views,
    stream_views,
)


class ProjectId:
    """The format of a projectId; other values cause no query."""

    regex = "prj_[A-Za-z0-9]{16}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class Position:
    regex = "[0-9]{1,4}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(ProjectId, "project_id")
register_converter(Position, "position")

urlpatterns = [
    path("<project_id:project_id>/assessment", link_views.assessment, name="assessment"),
    path("<project_id:project_id>/assessment/subjects", stream_views.subjects, name="subjects"),
    path("<project_id:project_id>/assessment/leave", attempt_views.leave, name="leave"),
    path("<project_id:project_id>/assessment/result", result_views.result, name="result"),
    path("<project_id:project_id>/assessment/result/compare", result_views.compare, name="compare"),
    path(
        "<project_id:project_id>/assessment/result/link",
        keep_views.private_link,
        name="private-link",
    ),
    path("<project_id:project_id>/assessment/forget", keep_views.forget, name="forget"),
    path("<project_id:project_id>/result", keep_views.private_result, name="private-result"),
    path(
        "<project_id:project_id>/assessment/<position:position>",
        attempt_views.question,
        name="question",
    ),
]
