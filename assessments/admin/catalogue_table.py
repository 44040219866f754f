"""The page of a project's catalogue as one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.http import urlencode

from assessments.admin import catalogue
from assessments.admin.catalogue import Sheet
from assessments.admin.course_form import PREVIEW
from assessments.catalogue.field_choices import FIELD_CHOICES
from assessments.models import Course
from assessments.models.catalogues import Catalogue
from partners.actor_context import staff_actor
from partners.models import Project

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:  # Django's own class takes no type argument
    ModelAdmin = admin.ModelAdmin


# The button that saves and turns to another page.
PAGE = "_page"
# Which courses the table shows, by the value in the address.
SHOWN: dict[str, tuple[str, Callable[[Course], bool]]] = {
    "active": ("active", lambda course: course.is_active),
    "inactive": ("inactive", lambda course: not course.is_active),
    "proposed": ("with proposed fields", lambda course: course.fields_proposed),
    "all": ("all", lambda course: True),
}


@dataclass(frozen=True)
class Choice:
    """Which courses of a catalogue an editor wants to see."""

    show: str = "active"
    words: str = ""
    page: str = "1"

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Choice:
        """Read the choice from an address; unknown values are as none."""
        show = query.get("show", "")
        words = query.get("q", "").strip()
        return cls(show if show in SHOWN else cls.show, words, query.get("page", cls.page))

    def among(self, courses: Iterable[Course]) -> list[Course]:
        """Return the courses to show."""
        _label, is_wanted = SHOWN[self.show]
        words = self.words.casefold()
        return [
            course
            for course in courses
            if is_wanted(course)
            and any(
                words in text.casefold() for text in (course.code, course.name, course.department)
            )
        ]

    def address(self, page: str) -> str:
        """Return the query of a page of this choice."""
        return f"?{urlencode({'show': self.show, 'q': self.words, 'page': page})}"


class CatalogueTable(ModelAdmin):
    """The table of a project's courses."""

    def get_urls(self) -> list[URLPattern]:
        table = path(
            "catalogue/<int:pk>/",
            self.admin_site.admin_view(self.catalogue_view),
            name="assessments_course_catalogue",
        )
        return [table, *super().get_urls()]

    def catalogue_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a project's courses in one table, preview edits, or save all or none of them."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)
        if request.method != "POST":
            return self._table(request, project, list(Catalogue(project).sheet()))
        with transaction.atomic():
            Catalogue(project).lock()
            courses = list(Catalogue(project).sheet())
            sheet = Sheet(courses, request.POST)
            if PREVIEW in request.POST or not sheet.is_sound():
                return self._table(request, project, courses, sheet)
            count = Catalogue(project).revise(sheet.changes, **staff_actor(request))
        turned_to = request.POST.get(PAGE)
        if count or not turned_to:
            messages.success(request, f"Saved: {_counted(count)} changed.")
        choice = Choice.of(request.GET)
        return HttpResponseRedirect(request.path + choice.address(turned_to or choice.page))

    def _table(
        self,
        request: HttpRequest,
        project: Project,
        courses: list[Course],
        sheet: Sheet | None = None,
    ) -> HttpResponse:
        """Show the table as stored, or with edits and their errors."""
        choice = Choice.of(request.GET)
        chosen = choice.among(courses)
        page = Paginator(chosen, catalogue.AT_A_TIME).get_page(choice.page)
        is_preview = sheet is not None and PREVIEW in request.POST
        can_preview = is_preview and sheet is not None and not sheet.faulty
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Courses of {project.name}",
            "project": project,
            "sheet": sheet or Sheet(page.object_list),
            "page": page,
            "count": _counted(len(courses)),
            "chosen": len(chosen),
            "choice": choice,
            "shows": [
                (value, label, sum(map(is_wanted, courses)))
                for value, (label, is_wanted) in SHOWN.items()
            ],
            "fields": FIELD_CHOICES,
            "is_preview": is_preview,
            "is_refused": sheet is not None and not is_preview,
            "preview": catalogue.preview_of(project, sheet, courses)
            if can_preview and sheet
            else None,
            "can_preview": can_preview,
            "can_add": self.has_add_permission(request),
        }
        return TemplateResponse(request, "admin/assessments/course/catalogue.html", context)


def _counted(count: int) -> str:
    return "1 course" if count == 1 else f"{count} courses"
