"""The students of a project who have not finished: a list, a file, and fresh links for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone

from assessments.desk.audited_admin import note_list
from assessments.desk.invitations import MAX_STUDENTS, invite_again, latest_invitation
from assessments.desk.invite import FILE_OF_LINKS, LinksForm, links_file
from assessments.figures.counts import day_bounds
from assessments.figures.forms import FiguresForm, form_or_404
from assessments.models import AssessmentLink, Attempt, LinkEvent, Student
from assessments.models.links import AssessmentLinkQuerySet
from assessments.models.students import NOT_ERASED, PROJECT_CLOSED
from partners.back_office.actions import Action
from partners.models import Project
from partners.spreadsheet import csv_lines
from partners.times import moment_in_words, rfc3339

MAX_UNFINISHED = 100  # rows of the page
PAGE = 500  # rows in memory at once
UNFINISHED_HEADER = ("Reference", "LinkId", "IssuedAt", "Until", "State", "Answered")
STARTED = {"yes": True, "no": False}  # by the parameter of the page
VIEW_STUDENT, ISSUE_LINK = "assessments.view_student", "assessments.issue_link"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A student's newest link, and how far they got."""

    link: AssessmentLink
    state: str
    until: datetime  # the end of the time to start the link, or to continue the attempt
    answered: int | None = None  # None without an attempt


def unfinished_links(
    project: Project, first: date, last: date, *, started: bool | None = None
) -> AssessmentLinkQuerySet:
    """Return the newest links, issued on these days, of students who have not finished.

    `started` selects those who have, or have not, started an attempt.
    """
    begin, end = day_bounds(first, last, project.time_zone)
    attempts = Attempt.objects.filter(student=OuterRef("student"))
    links = AssessmentLink.objects.filter(
        NOT_ERASED, student__project=project, issued_at__gte=begin, issued_at__lt=end
    )
    if started is not None:
        links = links.filter(Exists(attempts) if started else ~Exists(attempts))
    newest = links.newest_of_each().exclude(Exists(attempts.completed()))
    return newest.select_related("student")


def unfinished_as_csv(
    links: AssessmentLinkQuerySet, at: datetime, *, with_names: bool
) -> Iterator[str]:
    def rows() -> Iterator[list[str]]:
        last = 0
        while page := list(links.filter(pk__gt=last).order_by("pk")[:PAGE]):
            for student in describe_unfinished(page, at):
                link = student.link
                answered = "" if student.answered is None else str(student.answered)
                times = rfc3339(link.issued_at), rfc3339(student.until)
                row = [link.reference, link.link_id, *times, student.state, answered]
                yield [link.student.name, *row] if with_names else row
            last = page[-1].pk

    return csv_lines(("Name",) * with_names + UNFINISHED_HEADER, rows())


def describe_unfinished(links: Sequence[AssessmentLink], at: datetime) -> list[Unfinished]:
    """Describe students by an open attempt, else by an unused link, else by an ended attempt."""
    events = LinkEvent.objects.filter(link__in=links, kind="opened")
    opened = set(events.values_list("link_id", flat=True))
    attempts = Attempt.objects.filter(student__in=[link.student_id for link in links])
    newest = {row.student_id: row for row in attempts.with_answered().order_by("started_at")}
    students = []
    for link in links:
        attempt = newest.get(link.student_id)
        if attempt and (link.used_at or attempt.is_open(at)):
            state = attempt.status_at(at).label.lower()
            answered: int = attempt.answered  # type: ignore[attr-defined]  # annotated
            students.append(Unfinished(link, state, attempt.finish_by_at, answered))
            continue
        # An unused link has the state that the partner API gives it.
        state = "opened" if link.pk in opened else "unopened"
        if link.cancelled_at:
            state = "cancelled"
        elif at >= link.expires_at:
            state = "expired"
        students.append(Unfinished(link, state, link.expires_at))
    return students


class FreshLinksForm(LinksForm):
    # A page sent twice makes no second links.
    latest = forms.IntegerField(required=False, widget=forms.HiddenInput)


class FreshLinks(Action):
    """Makes fresh links for the students of the list, chosen by the same parameters."""

    name, title, button = "fresh-links", "Make fresh links", "Make the links"
    leave = "Back to the list"
    permission = ISSUE_LINK
    form_class = FreshLinksForm

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        _, self.project, self.links = read_parameters(request)
        self.count = self.links.count()

    @property
    def back(self) -> str:
        page = reverse("admin:assessments_projectfigures_unfinished")
        return f"{page}?{self.request.GET.urlencode()}"

    def refusal(self) -> str:
        if self.project.is_closed:
            return PROJECT_CLOSED
        if self.count > MAX_STUDENTS:
            return f"At most {MAX_STUDENTS:,} students can get links at once. Choose fewer days."
        return "" if self.count else "Nobody is left in this list."

    def get_initial(self) -> dict[str, Any]:
        return {"latest": latest_invitation(self.project)}

    def explain(self) -> Sequence[str]:
        at, project = timezone.now(), self.project
        until = moment_in_words(at + project.start_by, project.time_zone, at)
        inside = Attempt.objects.open(at).filter(student__in=self.links.values("student"))
        started = inside.values("student").distinct().count()
        return (
            f"{self.count} student{pluralize(self.count)} of {project.name} will get a fresh link, "
            f"which can be started until {until}. Earlier links keep working.",
            *(
                [
                    f"{started} of them {pluralize(started, 'is,are')} inside an attempt. A link "
                    "with the mobile number that they started with continues it on any device."
                ]
                if started
                else []
            ),
            *FILE_OF_LINKS,
        )

    def run(self, *, file: str, latest: int | None) -> HttpResponseBase:
        students = Student.objects.filter(pk__in=self.links.values("student"))
        made = invite_again(self.project, students, by=self.by, latest=latest)
        note_list(self.request, "a file of fresh links", len(made))
        return links_file(self.project, made, file)


def read_parameters(request: HttpRequest) -> tuple[FiguresForm, Project, AssessmentLinkQuerySet]:
    """Return the form, its project and the links that it asks for. Raises Http404 without one."""
    form = form_or_404(request)
    project, first, last = (form.cleaned_data[name] for name in ("project", "first", "last"))
    if project is None:
        raise Http404
    started = STARTED.get(request.GET.get("started", ""))
    return form, project, unfinished_links(project, first, last, started=started)
