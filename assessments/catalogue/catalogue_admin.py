"""The pages of a project's catalogue: list, preview, load, download, go back."""

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
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from assessments.catalogue.catalogue import Catalogue, Plan
from assessments.catalogue.course_rows import HEADINGS, LABELS, cell, csv_of, rows_of, workbook_of
from assessments.catalogue.field_choices import FIELD_CHOICES, field_names
from assessments.catalogue.headers import TableForm, first_of
from assessments.catalogue.workbook import MOST_ROWS
from assessments.made_up.previews import catalogue_preview
from assessments.models import Course
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from partners.back_office.admin_base import ModelAdmin
from partners.models import AuditEvent, Project
from partners.models.audit import staff_actor

# Changed courses of each kind. A page with all of 10,000 would be unreadable.
SHOWN = 200
A_PAGE = 25
COURSES_A_PAGE = 100
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
FIELD = "field-"  # with the code of a course: an input of the page that compares
PREVIEW = "preview"  # in an address: the page takes about a second longer


class LoadForm(TableForm):
    """A file with a catalogue. When valid, it has `rows` of courses and `notes` for the user."""

    synonyms, needed = HEADINGS, "name"
    # The others are recognised by their headings alone.
    chosen = {
        column: LABELS[column]
        for column in (
            *("code", "name", "order", "department", "fields", "required_streams"),
            *("about", "url", "apply_url"),
        )
    }
    at_most = (
        f"{MOST_ROWS:,} courses, as you keep it: the header, the sheet and the columns are "
        "recognised. Names of courses are enough"
    )

    rows_of = staticmethod(rows_of)


class CatalogueFiles(ModelAdmin):
    """Pages of a catalogue. A file and an earlier catalogue are compared before they are taken."""

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
        """List a project's courses, with a preview of their recommendations if requested."""
        project = self._project(request, pk)
        courses = project.courses.all()
        listed = Paginator(courses.order_by("-is_active", "order", "code"), COURSES_A_PAGE)
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
            preview=catalogue_preview(project) if PREVIEW in request.GET else None,
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
        """Send the courses in the columns of a file: those that are active or lack a field.

        A workbook is also the template of a project without courses; `?csv` asks for a CSV file.
        """
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
        found = CatalogueSnapshot.objects.earlier(project).defer("courses")
        page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
        changes = AuditEvent.objects.about(project).filter(
            action__startswith="courses.", at__in=[each.current_since for each in page]
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
            newest=found.first(),
        )

    def compare_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what a file or an earlier catalogue would change, and change it."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        snapshots = CatalogueSnapshot.objects.select_related("project__partner")
        wanted = get_object_or_404(snapshots, pk=pk)
        project = wanted.project
        refusals: list[str] = []
        if request.method == "POST":
            refusals = self._take(request, project, wanted)
            if not refusals:
                return redirect("admin:assessments_course_catalogue", project.pk)
        plan = Catalogue(project).plan_snapshot(wanted)
        return self._page(
            request,
            "compare",
            f"What would change in the courses of {project.name}",
            project,
            since=wanted.current_since,
            plan=plan,
            told=told(plan),
            counted=counted(plan),
            choices=FIELD_CHOICES.items(),
            refusals=refusals,
        )

    def _take(self, request: HttpRequest, project: Project, wanted: CatalogueSnapshot) -> list[str]:
        """Change the catalogue. Return why it was refused, or nothing."""
        try:
            plan = Catalogue(project).apply(
                wanted,
                seen=request.POST.get("seen", ""),
                may_deactivate_many="confirmed" in request.POST,
                fields={
                    name.removeprefix(FIELD): str(value)
                    for name, value in request.POST.items()
                    if name.startswith(FIELD) and value
                },
                confirmed="fields-checked" in request.POST,
                by=staff_actor(request),
            )
        except ValidationError as refusal:
            return first_of(refusal.messages)
        messages.success(request, f"Saved: {counted(plan) or 'nothing changed'}.")
        return []

    def _project(self, request: HttpRequest, pk: int, *, to_change: bool = False) -> Project:
        allowed = self.has_change_permission if to_change else self.has_view_permission
        if not allowed(request):
            raise PermissionDenied
        return get_object_or_404(Project.objects.select_related("partner"), pk=pk)

    def _page(
        self, request: HttpRequest, template: str, title: str, project: Project, **more: Any
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "project": project,
            **more,
        }
        return TemplateResponse(request, f"admin/assessments/course/{template}.html", context)


def told(plan: Plan) -> dict[str, Any]:
    """Return the difference in words. `more` says how many courses of each kind are not shown."""
    proposed = [course for course in plan.added if course.fields]
    return {
        "missing": [course for course in plan.added if not course.fields],
        "added": [(each.code, each.name, field_names(each.fields)) for each in proposed[:SHOWN]],
        "respelled": respelled(plan),
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
            for course, columns in plan.changed[:SHOWN]
        ],
        "deactivated": [(course.code, course.name) for course in plan.deactivated[:SHOWN]],
        "more": {kind: max(0, len(those) - SHOWN) for kind, those in plan.differing.items()},
    }


def respelled(plan: Plan) -> list[tuple[str, str, str]]:
    """Return (code before, code in the file, name) where only zeros before the code differ.

    A spreadsheet program drops them, and the course of before would become inactive.
    """

    def key(course: Course) -> tuple[str, str]:
        return course.code.lstrip("0").casefold(), course.name

    gone = {key(course): course.code for course in plan.deactivated}
    return [(gone[key(each)], each.code, each.name) for each in plan.added if key(each) in gone]


def value_in_words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        texts = (f"{language}: {cell(name, text)}" for language, text in value.items())
        return " / ".join(texts) or "nothing"
    return cell(name, value) or "nothing"


def counted(plan: Plan) -> str:
    """Return what differs by a plan in a phrase, such as “3 added, 1 changed”."""
    return ", ".join(f"{len(those)} {kind}" for kind, those in plan.differing.items() if those)
