"""The pages of a project's catalogue: list, preview, load, download, earlier ones."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.course_rows import COURSES, LABELS, cell_text, csv_of, workbook_of
from assessments.catalogue.headers import first_findings
from assessments.catalogue.plans import Plan, plan_courses, plan_rows
from assessments.catalogue.upload_pages import FileForm, columns_page, find_upload, keep_file
from assessments.catalogue.workbook import MAX_ROWS, TableFault
from assessments.made_up.previews import preview_catalogue
from assessments.models import CatalogueSnapshot
from assessments.models.catalogue_snapshots import digest_of
from assessments.models.courses import ENTRY_LEVEL_LABELS
from measurement.course_names import FIELD_CHOICES, field_names
from measurement.courses import CourseData
from partners.back_office.admin_base import ModelAdmin
from partners.back_office.pages import admin_page, download
from partners.models import AuditEvent, Project, Refused, staff_actor

MAX_SHOWN = 200  # of each kind of change; a page with all of 10,000 would be unreadable
CATALOGUES_PER_PAGE = 25
COURSES_PER_PAGE = 100
FIELD_PREFIX = "field-"  # before the code of a course: its input on the page that compares
ONBOARDING = ("partners.add_project", "tokens.issue_token")
PREVIEW = "preview"  # a parameter, because the preview takes about a second


class CatalogueFiles(ModelAdmin):
    def get_urls(self) -> list[URLPattern]:
        return [
            path(f"catalogue/<int:pk>/{address}", self.admin_site.admin_view(view), name=name)
            for address, view, name in (
                ("", self.catalogue_view, "assessments_course_catalogue"),
                ("load/", self.load_view, "assessments_course_load"),
                ("load/<int:upload>/columns/", self.columns_view, "assessments_course_columns"),
                ("load/<int:upload>/", self.compare_view, "assessments_course_compare"),
                ("download/", self.download_view, "assessments_course_download"),
                ("earlier/", self.earlier_view, "assessments_course_earlier"),
                ("earlier/<int:snapshot>/", self.restore_view, "assessments_course_restore"),
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
        project = self._project(request, pk, to="load")
        form = FileForm(request.POST or None, request.FILES or None, limit=f"{MAX_ROWS:,} courses")
        if form.is_valid():
            try:
                return keep_file(request, project, COURSES, form.cleaned_data["file"])
            except TableFault as fault:
                form.add_error("file", fault.findings)
        title = f"Load courses of {project.name} from a file"
        return self._page(request, "load", title, project, form=form)

    def columns_view(self, request: HttpRequest, pk: int, upload: int) -> HttpResponse:
        project = self._project(request, pk, to="load")
        return columns_page(request, project, COURSES, upload, opts=self.opts)

    def compare_view(self, request: HttpRequest, pk: int, upload: int) -> HttpResponse:
        """Show what loading a file would change, with the choices that are left, and load it."""
        project = self._project(request, pk, to="load")
        stored = find_upload(request, project, COURSES, upload)
        if not stored or stored.rows is None:
            return redirect(COURSES.load_page, project.pk)
        rows, keep = stored.rows, request.POST.get("repeated") == "all"
        plan = plan_rows(project.courses.as_data(), rows, keep_repeated=keep)
        missing = request.POST.get("missing", "" if plan.deactivates_many else "deactivate")

        def load(**how: Any) -> Plan:
            if missing not in {"add", "deactivate"}:
                raise Refused("Choose what happens to the courses that are not in the file.")
            stored.use(request.POST.get("read", ""))
            fields, confirmed = chosen_fields(request), "fields-checked" in request.POST
            if unknown := ", ".join(sorted(set(fields.values()) - FIELD_CHOICES.keys())):
                raise Refused(f"{unknown} is no field of work. Choose one of them.")
            chosen = plan_rows(plan.today, rows, add=missing == "add", keep_repeated=keep)
            chosen = chosen.choose_fields(fields, confirmed=confirmed)
            return Catalogue(project).apply(chosen, "courses.loaded", **how)

        more = {"upload": stored, "keep_repeated": keep, "missing": missing}
        return self._compare(request, project, plan, load, **more)

    @method_decorator(require_safe)
    def download_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Send a workbook, or with `?csv` a CSV file. Without courses, it is a template."""
        project = self._project(request, pk)
        courses = project.courses.filter(Q(is_active=True) | Q(fields=[])).as_data()
        name = f"courses-{project.project_id}"
        if "csv" in request.GET:
            return download(csv_of(courses), f"{name}.csv")
        return download(workbook_of(courses), f"{name}.xlsx")

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

    def restore_view(self, request: HttpRequest, pk: int, snapshot: int) -> HttpResponse:
        """Show what going back to an earlier catalogue would change, and go back."""
        project = self._project(request, pk, to="change")
        earlier = get_object_or_404(CatalogueSnapshot.objects.earlier(project), pk=snapshot)
        plan = plan_courses(project.courses.as_data(), earlier.kept_courses)
        since: Any = earlier.current_since
        restore = partial(Catalogue(project).restore, plan, since)
        return self._compare(request, project, plan, restore, since=since)

    def _compare(
        self,
        request: HttpRequest,
        project: Project,
        plan: Plan,
        apply: Callable[..., Plan],
        **more: Any,
    ) -> HttpResponse:
        """Show what a plan would change; after a POST, call `apply`, which returns what changed."""
        refusals = []
        if request.method == "POST":
            try:
                with transaction.atomic():
                    done = apply(by=staff_actor(request), seen=request.POST.get("seen", ""))
            except Refused as refused:
                refusals = first_findings(str(refused).splitlines())
            else:
                messages.success(request, f"Saved: {counts_in_words(done) or 'nothing changed'}.")
                return redirect("admin:assessments_course_catalogue", project.pk)
        return self._page(
            request,
            "compare",
            f"What would change in the courses of {project.name}",
            project,
            plan=plan,
            seen=digest_of(plan.today),
            differences=describe_differences(plan, chosen_fields(request)),
            counts=counts_in_words(plan),
            choices=FIELD_CHOICES.items(),
            refusals=refusals,
            **more,
        )

    def _project(self, request: HttpRequest, pk: int, *, to: str = "view") -> Project:
        """Return the project if its courses may be viewed, changed or loaded: view, change, load.

        Who may onboard a partner may load a project's first courses.
        """
        project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)
        first = to == "load" and request.user.has_perms(ONBOARDING) and not project.courses.exists()
        is_open = self.has_view_permission if to == "view" or first else self.has_change_permission
        if not is_open(request):
            raise PermissionDenied
        return project

    def _page(
        self, request: HttpRequest, template: str, title: str, project: Project, **more: Any
    ) -> HttpResponse:
        context = {"opts": self.opts, "project": project, **more}
        return admin_page(request, f"admin/assessments/course/{template}.html", title, **context)


def chosen_fields(request: HttpRequest) -> dict[str, str]:
    """Return the main fields that the user chose, by the code of a course."""
    return {
        name.removeprefix(FIELD_PREFIX): str(value)
        for name, value in request.POST.items()
        if name.startswith(FIELD_PREFIX) and value
    }


def describe_differences(plan: Plan, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the differences in words, with the `fields` chosen so far, by code.

    `more` counts the courses of each kind beyond MAX_SHOWN.
    """
    kinds = plan.differences | {"without_field": plan.without_field}
    kinds["added"] = [course for course in plan.added if course.fields]
    shown = {kind: courses[:MAX_SHOWN] for kind, courses in kinds.items()}
    return {
        "without_field": [(course, fields.get(course.code)) for course in shown["without_field"]],
        "added": [
            (course, field_names(course.fields), ENTRY_LEVEL_LABELS.get(course.entry_level))
            for course in shown["added"]
        ],
        "respelled": find_respelled(plan),
        "has_proposed": any(course.fields_proposed for course in plan.added),
        "changed": [
            (course, [describe_change(name, *values) for name, values in columns.items()])
            for course, columns in plan.changed[:MAX_SHOWN]
        ],
        "deactivated": shown["deactivated"],
        "more": {kind: len(courses) - len(shown[kind]) for kind, courses in kinds.items()},
    }


def find_respelled(plan: Plan) -> list[tuple[str, str, str]]:
    """Return (code today, code in the file, name) where a spreadsheet program dropped zeros."""

    def key(course: CourseData) -> tuple[str, str]:
        return course.code.lstrip("0").casefold(), course.name

    codes = {key(course): course.code for course in plan.deactivated}
    return [
        (codes[key(course)], course.code, course.name)
        for course in plan.added
        if key(course) in codes
    ]


def describe_change(name: str, before: Any, after: Any) -> tuple[str, str, str]:
    label = LABELS.get(name) or name.removeprefix("is_").replace("_", " ").capitalize()
    return label, value_in_words(name, before), value_in_words(name, after)


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
