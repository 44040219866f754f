"""Addresses of the student pages. They contain no token after the start."""

from django.urls import include, path, re_path

from assessments.student import attempt_views, link_views, result_views, subjects_and_ideas

# The formats of ids; other values cause no query. An AssessmentId opens nothing without its cookie.
PROJECT = "^(?P<project_id>prj_[A-Za-z0-9]{16})"
ATTEMPT = "(?P<assessment_id>asm_[A-Za-z0-9]{16})"


def spelled_otherwise(word: str) -> str:
    """Return a route of a word in any case, with a slash or none. Django can't reverse `(?i)`."""
    letters = "".join(f"[{letter}{letter.upper()}]" for letter in word)
    return f"{PROJECT}/{letters}/?$"


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
    re_path(f"{PROJECT}/assessment$", link_views.assessment, name="assessment"),
    re_path(f"{PROJECT}/result$", result_views.private_result, name="private-result"),
    re_path(spelled_otherwise("assessment"), link_views.assessment),
    re_path(spelled_otherwise("result"), result_views.private_result),
    re_path(f"{PROJECT}/assessment/{ATTEMPT}", include(of_attempt)),
]
