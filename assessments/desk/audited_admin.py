"""The base of pages about students. The audit trail records who saw and did what."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.safestring import SafeString

from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.link_history import ERASED, NO_LINK, LinkHistory, diagnose, events, of_link
from partners.back_office.actions import Action
from partners.back_office.admin_base import ReadOnlyAdmin
from partners.back_office.pages import link_to
from partners.models import AuditEvent, staff_actor
from partners.times import moment_in_words

VIEW_LINK = "assessments.view_assessmentlink"
MAX_LISTED = 20  # links and attempts of a student; only a partner's test account has more


def note_list(request: HttpRequest, name: str, rows: int) -> None:
    user = cast("AbstractBaseUser", request.user)
    reason = f"{name}: {rows} row{'' if rows == 1 else 's'}"
    AuditEvent.record("student.listed", user, by=staff_actor(request), reason=reason)


def note_page(request: HttpRequest, student: Student, page: str) -> None:
    AuditEvent.record("student.read", student, by=staff_actor(request), reason=f"looked at: {page}")


def student_of(row: Student | AssessmentLink | Attempt) -> Student:
    return row if isinstance(row, Student) else row.student


def diagnosis_of(student: Student, history: LinkHistory | None) -> dict[str, Any]:
    """Return what `_state.html` and `_next_step.html` need, with or without a link."""
    diagnosis = diagnose(history) if history else NO_LINK
    attempt = history.link.attempt if history else None
    return {
        "student": student,
        "diagnosis": ERASED if student.is_erased else diagnosis,
        "history": None if student.is_erased else history,
        "ended_at": attempt.ends_at if attempt else None,
    }


def time_column(field: str, label: str, never: str = "") -> Callable[..., str]:
    """Return an admin column that shows a time of the row, or `never` if that is None."""

    @admin.display(description=label)
    def column(model_admin: AuditedAdmin, row: Any) -> str:
        at = getattr(row, field)
        return model_admin.when(row, at) if at else never

    return column


class AuditedAdmin(ReadOnlyAdmin):
    """Admin of students, links or attempts. Searches are posted, so that no URL has an address."""

    change_form_template = "admin/assessments/link_summary.html"
    show_facets = ShowFacets.NEVER
    sortable_by: ClassVar[Any] = ()
    ordering: ClassVar[Any] = ("-pk",)

    def link_of(self, row: Any) -> AssessmentLink | None:
        """Return the link that the summary of a row describes."""
        raise NotImplementedError("Subclasses must provide a link_of() method.")

    def when(self, row: Any, at: datetime) -> str:
        return moment_in_words(at, student_of(row).project.time_zone)

    @admin.display(description="student")
    def student_email(self, row: Any) -> str:
        return student_of(row).email

    @admin.display(description="student")
    def student_page(self, row: Any) -> SafeString:
        return link_to(student_of(row), student_of(row).email)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist: Any = super().get_changelist_instance(request)
        changelist.may_find = request.user.has_perm(VIEW_LINK)
        chosen = (spec.chosen for spec in changelist.filter_specs if hasattr(spec, "chosen"))
        changelist.searched_project = next(chosen, None)
        note_list(request, str(self.opts.verbose_name), len(changelist.result_list))
        return changelist

    def context_of(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return the context of `link_summary.html`, with or without a link."""
        student, link, at = student_of(row), self.link_of(row), timezone.now()
        note_page(request, student, str(row))
        history = of_link(link, at) if link else None
        buttons: list[tuple[str, str]] = []
        for each in filter(None, (student, link and link.attempt, link)):
            model_admin: Any = admin.site.get_model_admin(type(each))
            buttons += model_admin.buttons(request, each)
        return {
            **diagnosis_of(student, history),
            "zone": student.project.time_zone,
            "buttons": buttons,
            "summary_link": link,
            "events": events(history, at) if history else [],
            "links": student.links.with_attempts().newest_first()[:MAX_LISTED],
            "attempts": student.attempts.with_answered().newest_first()[:MAX_LISTED],
            "max_listed": MAX_LISTED,
        }


class SupportAction(Action):
    """An action on a student, link or attempt. The audit trail records who saw its page."""

    @property
    def student(self) -> Student:
        return student_of(self.row)

    @cached_property
    def at(self) -> datetime:
        return timezone.now()

    def when(self, at: datetime) -> str:
        return moment_in_words(at, self.student.project.time_zone, self.at)

    @property
    def student_in_words(self) -> str:
        return f"{self.student.name}, {self.student.email}, of {self.student.project.name}."

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        except ObjectDoesNotExist:  # its retention time ended meanwhile
            raise Http404 from None

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        note_page(self.request, self.student, f"the page “{self.title}”")
        return super().get_context_data(**context)
