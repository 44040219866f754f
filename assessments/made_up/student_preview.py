"""Previews of a project's student pages, with a made-up student's answers. Writes no rows."""

import random
from functools import lru_cache
from typing import Any

from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone, translation

from assessments.made_up.students import answer_all, careful
from assessments.models import Item, ItemBank
from assessments.models.answers import ShownAnswer
from assessments.student import languages
from assessments.student.attempt_views import (
    progress,
    questions_context,
    redirect_as_json,
    section_context,
)
from assessments.student.forms import PageForm
from assessments.student.link_views import landing_context
from assessments.student.pages import SeeOther, page
from assessments.student.result_context import describe_courses, describe_profile
from measurement.layout import Section
from measurement.validity import AnsweredItem
from partners.models import Project

SEED = 11
GIVEN_NAME = {"en": "Asha", "hi": "आशा"}
# Title for staff and template by name, in the order in which a student sees them.
PAGES = {
    "landing": ("Start", "landing"),
    "statements": ("Statements", "question"),
    "part-result": ("Part result", "section"),
    "puzzle": ("Puzzle", "question"),
    "result": ("Result", "result"),
    "shared": ("Shared result", "private_result"),
}


@lru_cache(maxsize=4)
def make_up_answers(bank: ItemBank) -> list[AnsweredItem]:
    """Return a careful student's answers, the same every time."""
    choose = careful(bank.scoring, random.Random(SEED))  # noqa: S311  made up, no secret
    return answer_all(bank, choose, str(SEED))


def build_context(name: str, project: Project, bank: ItemBank) -> dict[str, Any]:
    language, now = translation.get_language(), timezone.now()
    given_name = GIVEN_NAME.get(language, "")
    statements, puzzles = bank.layout.sections[0], bank.layout.find(Item.Section.APTITUDE)
    if name == "landing":
        context = landing_context(project, bank, language, now)
        return context | {"given_name": given_name, "months": project.retention_months}
    if name == "statements":
        return build_questions(bank, statements, answered=3)
    if name == "puzzle":
        return build_questions(bank, puzzles)
    answers = make_up_answers(bank)
    if name == "part-result":
        context = section_context(bank, puzzles, answers[: puzzles.first - 1])
        return context | build_progress_before(bank, puzzles)
    courses = project.courses.recommendable().as_data()
    profile, recommended = bank.evaluate(
        answers, courses, project.recommendation_count, named=[each.code for each in courses[:1]]
    )
    return {
        **describe_profile(bank, profile),
        **describe_courses(project, bank, recommended),
        "recommended_count": len(recommended),
        "given_name": given_name,
        "finished_on": now,
        "until": now,
    }


def build_questions(bank: ItemBank, section: Section, answered: int = 0) -> dict[str, Any]:
    """Return the first page of a section, with the first answers ticked."""
    form, given = PageForm(bank.layout, section.first), make_up_answers(bank)
    answers = [
        ShownAnswer(
            pk=0,
            position=position,
            item=bank.by_code[given[position - 1].code],
            choice=given[position - 1].choice if number < answered else None,
        )
        for number, position in enumerate(form.positions)
    ]
    return questions_context(form, answers, given=()) | build_progress_before(bank, section)


def build_progress_before(bank: ItemBank, section: Section) -> dict[str, Any]:
    answered = {
        each.code: each.total if each.number < section.number else 0
        for each in bank.layout.sections
    }
    return progress(bank.layout, section.first, answered)


@permission_required("partners.view_project", raise_exception=True)
@redirect_as_json
def preview_page(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """Show a student page in a language of the bank; its form leads to the next page."""
    project, current = get_object_or_404(Project, pk=pk), ItemBank.objects.made_current().first()
    if name not in PAGES or current is None:
        raise Http404
    bank = ItemBank.cached(current.pk)
    language = languages.best(bank.languages, languages.asked_for(request.GET))

    def address(name: str, language: str = language) -> str:
        return f"{reverse('admin:preview', args=[pk, name])}?language={language}"

    if request.method == "POST":
        names = [*PAGES, *PAGES]
        return SeeOther(address(names[names.index(name) + 1]))
    _, template = PAGES[name]
    with translation.override(language):
        return page(
            request,
            template,
            project,
            action=address(name),
            compare_url=address(name),
            keep={"link_url": address("shared"), "visible_until": timezone.now()},
            languages=[
                {"code": code, "name": title, "url": address(name, code)}
                for code, title in languages.offered(bank.languages)
            ],
            examples=[
                {"title": title, "url": address(each), "is_current": each == name}
                for each, (title, _) in PAGES.items()
            ],
            **build_context(name, project, bank),
        )
