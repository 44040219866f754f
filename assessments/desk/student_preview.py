"""What students of a project see, with the answers of a made-up student. Writes no rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone, translation

from assessments.models.answers import Answer
from assessments.models.banks import ItemBank
from assessments.models.items import Item
from assessments.models.magic_addresses import CarefulStudent
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
from assessments.student.result_views import result_context
from measurement.layout import Section
from measurement.validity import Given
from partners.models import Project

SEED = 11
GIVEN_NAME = {"en": "Asha", "hi": "आशा"}


class Sitting(NamedTuple):
    """A whole attempt that was never stored: the items by position, and the answers."""

    items: dict[int, Item]
    given: list[Given]


@lru_cache(maxsize=4)
def sitting(bank: ItemBank) -> Sitting:
    """Return the answers of a careful student, always the same for a bank."""
    student = CarefulStudent(bank.scoring, random.Random(SEED))  # noqa: S311  made up, no secret
    made = Sitting({}, [])
    fields: list[str] = []
    choices: dict[int, int | None] = {}
    for section in bank.layout.sections:
        if section.code == Item.Section.FIELDS:
            fields = bank.leading_fields(choices)
        choices = {}
        for position in range(section.first, section.last + 1, section.per_page):
            items = bank.items_of_page(
                section,
                position,
                choices,
                exposure={},
                seed=str(SEED),
                fields=fields,
                avoid_pictures=False,
            )
            for each, item in items.items():
                made.items[each] = item
                choices[item.pk] = choice = student.choose(item)
                made.given.append(Given(item.code, choice, section.seconds / section.total))
    return made


def landing(project: Project, bank: ItemBank) -> dict[str, Any]:
    language = translation.get_language()
    said = landing_context(project, bank, language, timezone.now())
    return {**said, "given_name": GIVEN_NAME.get(language, ""), "months": project.retention_months}


def statements(project: Project, bank: ItemBank) -> dict[str, Any]:
    return questions(bank, bank.layout.sections[0], answered=3)


def puzzle(project: Project, bank: ItemBank) -> dict[str, Any]:
    return questions(bank, bank.layout.find(Item.Section.APTITUDE))


def questions(bank: ItemBank, section: Section, answered: int = 0) -> dict[str, Any]:
    """Return the first page of a section, with the first answers ticked."""
    made, form = sitting(bank), PageForm(section, section.first)
    shown = [
        Answer(
            position=position,
            item=made.items[position],
            choice=made.given[position - 1].choice if number < answered else None,
        )
        for number, position in enumerate(form.positions)
    ]
    given = {each.item_id for each in shown}
    return questions_context(form, shown, given) | so_far(bank, section)


def part_result(project: Project, bank: ItemBank) -> dict[str, Any]:
    section = bank.layout.find(Item.Section.APTITUDE)
    given = sitting(bank).given[: section.first - 1]
    return section_context(bank, section, given) | so_far(bank, section)


def so_far(bank: ItemBank, section: Section) -> dict[str, Any]:
    answered = {
        each.code: each.total if each.number < section.number else 0
        for each in bank.layout.sections
    }
    return progress(bank.layout, section.first, answered)


def result(project: Project, bank: ItemBank) -> dict[str, Any]:
    profile, recommended = bank.evaluate(
        sitting(bank).given,
        courses := project.courses.active().as_data(),
        project.recommendation_count,
        named=[each.code for each in courses[:1]],
    )
    name = GIVEN_NAME.get(translation.get_language(), "")
    said = result_context(project, bank, profile, recommended, name)
    return {**said, "finished_on": timezone.now(), "can_compare": len(recommended) > 1}


def shared(project: Project, bank: ItemBank) -> dict[str, Any]:
    said = {**result(project, bank), "confidence_note": "", "retake_note": ""}
    return {**said, "until": timezone.now(), "with_puzzles": True}


class Shown(NamedTuple):
    """A page: its title for staff, its template and `data-page`, and what makes its context."""

    title: str
    template: str
    page: str
    context: Callable[[Project, ItemBank], dict[str, Any]]


# In the order in which a student sees them.
PAGES = {
    "landing": Shown("Start", "student/landing.html", "landing", landing),
    "statements": Shown("Statements", "student/question.html", "question", statements),
    "part-result": Shown("Part result", "student/section.html", "section", part_result),
    "puzzle": Shown("Puzzle", "student/question.html", "question", puzzle),
    "result": Shown("Result", "student/result.html", "result", result),
    "shared": Shown("Shared result", "student/private_result.html", "private-result", shared),
}


@redirect_as_json
def preview_page(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """Show a page of a project's students in any language; its form leads to the next page.

    Raises PermissionDenied for staff who may not view projects.
    """
    if not request.user.has_perm("partners.view_project"):
        raise PermissionDenied
    project, newest = get_object_or_404(Project, pk=pk), ItemBank.objects.made_current().first()
    if name not in PAGES or newest is None:
        raise Http404
    bank = ItemBank.cached(newest.pk)
    language = languages.best(bank.languages, languages.asked_for(request.GET))
    names = [*PAGES]
    following = names[(names.index(name) + 1) % len(names)]

    def address(name: str, language: str = language) -> str:
        return f"{reverse('admin:preview', args=[pk, name])}?language={language}"

    if request.method == "POST":
        return SeeOther(address(following))
    shown = PAGES[name]
    with translation.override(language):
        return page(
            request,
            shown.template,
            shown.page,
            project,
            action=address(name),
            compare_url=address(name),
            keep={"link_url": address("shared"), "visible_until": timezone.now()},
            languages=[
                {"code": code, "name": title, "url": address(name, code)}
                for code, title in languages.offered(bank.languages)
            ],
            examples=[
                {"title": other.title, "url": address(each), "is_current": each == name}
                for each, other in PAGES.items()
            ],
            **shown.context(project, bank),
        )
