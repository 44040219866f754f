"""Addresses of the student pages. They contain no token after the start."""

from django.urls import include, path, re_path, register_converter

from assessments.student import attempt_views, link_views, result_views, subjects_and_ideas


class ProjectId:
    """The format of a projectId; other values cause no query."""

    regex = "prj_[A-Za-z0-9]{16}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class AssessmentId(ProjectId):
    """The format of an AssessmentId, which opens nothing without its cookie."""

    regex = "asm_[A-Za-z0-9]{16}"


def spelled_otherwise(word: str) -> str:
    """Return a route of a word in any case, with a slash or none. Django can't reverse `(?i)`."""
    letters = "".join(f"[{letter}{letter.upper()}]" for letter in word)
    return f"^(?P<project_id>{ProjectId.regex})/{letters}/?$"


register_converter(ProjectId, "project_id")
register_converter(AssessmentId, "assessment_id")

of_attempt = [
    path("", link_views.resume, name="attempt"),
    path("/subjects", subjects_and_ideas.subjects, name="subjects"),
    path("/ideas", subjects_and_ideas.ideas, name="ideas"),
    path("/leave", attempt_views.leave, name="leave"),
    path("/result", result_views.result, name="result"),
    path("/result/compare", result_views.compare, name="compare"),
    path("/result/link", result_views.private_link, name="private-link"),
    path("/forget", result_views.forget, name="forget"),
    path("/forget-others", result_views.forget_others, name="forget-others"),
    path("/<int:position>", attempt_views.question, name="question"),
]
urlpatterns = [
    path("<project_id:project_id>/assessment", link_views.assessment, name="assessment"),
    path("<project_id:project_id>/result", result_views.private_result, name="private-result"),
    re_path(spelled_otherwise("assessment"), link_views.assessment),
    re_path(spelled_otherwise("result"), result_views.private_result),
    path("<project_id:project_id>/assessment/<assessment_id:assessment_id>", include(of_attempt)),
]
