"""The pages of a project's catalogue: list, preview, load, download, earlier ones."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import label_for_field
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from assessments.catalogue.catalogue import Catalogue, Plan
from assessments.catalogue.course_rows import (
    HEADINGS,
    LABELS,
    NAME_PART,
    NAMED_BY,
    cell_text,
    csv_of,
    read_rows,
    workbook_of,
)
from assessments.catalogue.field_choices import FIELD_CHOICES, field_names
from assessments.catalogue.headers import TableForm, first_findings
from assessments.catalogue.workbook import MAX_ROWS
from assessments.made_up.previews import preview_catalogue
from assessments.models import Course
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from partners.back_office.admin_base import ModelAdmin
from partners.back_office.pages import admin_page
from partners.models import AuditEvent, Project
from partners.models.audit import staff_actor

MAX_SHOWN = 200  # of each kind of change; a page with all of 10,000 would be unreadable
CATALOGUES_PER_PAGE = 25
COURSES_PER_PAGE = 100
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
FIELD_PREFIX = "field-"  # before the code of a course: its input on the page that compares
PREVIEW = "preview"  # a parameter, because the preview takes about a second


class LoadForm(TableForm):
    synonyms, required_column, named_by = HEADINGS, "name", NAMED_BY
    # Other columns are recognised by their headings alone.
    labels = {
        column: LABELS[column]
        for column in (
            *("code", "name", NAME_PART, "order", "department", "fields", "required_streams"),
            *("about", "url", "apply_url"),
        )
    }
    limit = (
        f"{MAX_ROWS:,} courses, as you keep it: the header, the sheet and the columns are "
        "recognised. Names of courses are enough"
    )

    read_rows = staticmethod(read_rows)


class CatalogueFiles(ModelAdmin):
    def get_urls(self) -> list[URLPattern]:
        return [
            path(f"catalogue/{address}/", self.admin_site.admin_view(view), name=name)
            for address, view, name in (
                ("<int:pk>", self.catalogue_view, "assessments_course_catalogue"),
                ("<int:pk>/load", self.load_view, "assessments_course_load"),
                ("<int:pk>/download", self.download_view, "assessments_course_download"),
                ("<int:pk>/earlier", self.earlier_view, "assessments_course_earlier"),
                ("compare/<int:pk>", self.compare_view, "assessments_course_compare"),
            )
        ] + super().get_urls()

    @method_decorator(require_safe)
    def catalogue_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """List a project's courses; `?preview` adds a preview of their recommendations."""
        project = self._project(request, pk)
        courses = project.courses.all()
        listed = Paginator(courses.order_by("-is_active", "order", "code"), COURSES_PER_PAGE)
        page = listed.get_page(request.GET.get("page"))
        return self._page(
            request,
            "catalogue",
            f"Courses of {project.name}",
            project,
            page=page,
            rows=[(course, field_names(course.fields)) for course in page],
            proposed=courses.filter(fields_proposed=True).count(),
            can_add=self.has_add_permission(request),
            is_preview=PREVIEW in request.GET,
            preview=preview_catalogue(project) if PREVIEW in request.GET else None,
        )

    def load_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        project = self._project(request, pk, to_change=True)
        form = LoadForm(request.POST or None, request.FILES or None)
        if form.is_valid():
            snapshot = Catalogue(project).store_upload(form.rows)
            for note in form.notes:
                messages.info(request, note)
            return redirect("admin:assessments_course_compare", snapshot.pk)
        title = f"Load courses of {project.name} from a file"
        return self._page(request, "load", title, project, form=form)

    @method_decorator(require_safe)
    def download_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Send a workbook, or with `?csv` a CSV file. Without courses, it is a template."""
        project = self._project(request, pk)
        listed = project.courses.filter(Q(is_active=True) | Q(fields=[]))
        courses = [course.stored for course in listed.order_by("order", "code")]
        suffix = "csv" if "csv" in request.GET else "xlsx"
        return FileResponse(
            csv_of(courses) if suffix == "csv" else workbook_of(courses),
            as_attachment=True,
            filename=f"courses-{project.project_id}.{suffix}",
            content_type=CONTENT_TYPES[suffix],
        )

    @method_decorator(require_safe)
    def earlier_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        project = self._project(request, pk)
        snapshots = CatalogueSnapshot.objects.earlier(project).defer("courses")
        page = Paginator(snapshots, CATALOGUES_PER_PAGE).get_page(request.GET.get("page"))
        changes = AuditEvent.objects.about(project).filter(
            action__startswith="courses.", at__in=[snapshot.current_since for snapshot in page]
        )
        events: dict[Any, AuditEvent] = {
            event.at: event for event in changes.defer("details").with_staff_names()
        }
        return self._page(
            request,
            "earlier",
            f"Earlier catalogues of {project.name}",
            project,
            rows=[(snapshot, events.get(snapshot.current_since)) for snapshot in page],
            page=page,
            newest=snapshots.first(),
        )

    def compare_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        snapshots = CatalogueSnapshot.objects.select_related("project__partner")
        snapshot = get_object_or_404(snapshots, pk=pk)
        project = snapshot.project
        refusals: list[str] = []
        if request.method == "POST":
            refusals = self._apply(request, snapshot)
            if not refusals:
                return redirect("admin:assessments_course_catalogue", project.pk)
        plan = Catalogue(project).plan_snapshot(snapshot)
        return self._page(
            request,
            "compare",
            f"What would change in the courses of {project.name}",
            project,
            since=snapshot.current_since,
            plan=plan,
            differences=describe_differences(plan),
            counts=counts_in_words(plan),
            choices=FIELD_CHOICES.items(),
            refusals=refusals,
        )

    def _apply(self, request: HttpRequest, snapshot: CatalogueSnapshot) -> list[str]:
        try:
            plan = Catalogue(snapshot.project).apply(
                snapshot,
                compared_with=request.POST.get("seen", ""),
                may_deactivate_many="confirmed" in request.POST,
                fields={
                    name.removeprefix(FIELD_PREFIX): str(value)
                    for name, value in request.POST.items()
                    if name.startswith(FIELD_PREFIX) and value
                },
                confirmed="fields-checked" in request.POST,
                by=staff_actor(request),
            )
        except ValidationError as refusal:
            return first_findings(refusal.messages)
        messages.success(request, f"Saved: {counts_in_words(plan) or 'nothing changed'}.")
        return []

    def _project(self, request: HttpRequest, pk: int, *, to_change: bool = False) -> Project:
        allowed = self.has_change_permission if to_change else self.has_view_permission
        if not allowed(request):
            raise PermissionDenied
        return get_object_or_404(Project.objects.select_related("partner"), pk=pk)

    def _page(
        self, request: HttpRequest, template: str, title: str, project: Project, **more: Any
    ) -> HttpResponse:
        context = {"opts": self.opts, "project": project, **more}
        return admin_page(request, f"admin/assessments/course/{template}.html", title, **context)


def describe_differences(plan: Plan) -> dict[str, Any]:
    """Return the differences in words. `more` counts the courses of each kind beyond MAX_SHOWN."""
    added = [course for course in plan.added if course.fields][:MAX_SHOWN]
    return {
        "missing": [course for course in plan.added if not course.fields],
        "added": [(course.code, course.name, field_names(course.fields)) for course in added],
        "respelled": find_respelled(plan),
        "has_proposed": any(course.fields_proposed for course in plan.added),
        "changed": [
            {
                "code": course.code,
                "name": course.name,
                "columns": [
                    (
                        capfirst(str(label_for_field(name, Course))),
                        value_in_words(name, before),
                        value_in_words(name, after),
                    )
                    for name, (before, after) in columns.items()
                ],
            }
            for course, columns in plan.changed[:MAX_SHOWN]
        ],
        "deactivated": [(course.code, course.name) for course in plan.deactivated[:MAX_SHOWN]],
        "more": {
            kind: max(0, len(courses) - MAX_SHOWN) for kind, courses in plan.differences.items()
        },
    }


def find_respelled(plan: Plan) -> list[tuple[str, str, str]]:
    """Return (code today, code in the file, name) where a spreadsheet program dropped zeros."""

    def key(course: Course) -> tuple[str, str]:
        return course.code.lstrip("0").casefold(), course.name

    codes = {key(course): course.code for course in plan.deactivated}
    return [
        (codes[key(course)], course.code, course.name)
        for course in plan.added
        if key(course) in codes
    ]


def value_in_words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        texts = (f"{language}: {cell_text(name, text)}" for language, text in value.items())
        return " / ".join(texts) or "nothing"
    return cell_text(name, value) or "nothing"


def counts_in_words(plan: Plan) -> str:
    """Return a phrase such as “3 added, 1 changed”, or "" if nothing differs."""
    return ", ".join(
        f"{len(courses)} {kind}" for kind, courses in plan.differences.items() if courses
    )
