"""Students, and what staff do for one: issue a fresh link, correct the address, erase them."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import F
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.defaultfilters import pluralize
from django.views.decorators.debug import sensitive_variables

from assessments.desk.audited_admin import AuditedAdmin, SupportAction, time_column
from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.identity import EMAIL_MAX
from assessments.models.link_history import progress
from assessments.models.students import REASON_MAX
from partners.back_office.actions import ReasonForm, reason_field
from partners.back_office.filters import ProjectFilter
from partners.back_office.pages import admin_page


class FreshLinkForm(ReasonForm):
    mobile = forms.ChoiceField(
        label="The student's mobile number",
        error_messages={
            "required": "Ask the student for the number, then choose it.",
            "invalid_choice": "Choose one of the numbers in the list.",
        },
    )
    field_order = ("mobile", "reason")

    def __init__(self, *args: Any, numbers: Mapping[str, Attempt | None], **options: Any) -> None:
        super().__init__(*args, **options)
        if len(numbers) == 1:
            del self.fields["mobile"]
            return
        choices = [("", "Choose a number")]
        for mobile, attempt in numbers.items():
            effect = "starts a new attempt"
            if attempt:
                effect = f"continues {attempt}, {progress(attempt)}"
            choices.append((mobile, f"{mobile}: {effect}"))
        cast("forms.ChoiceField", self.fields["mobile"]).choices = choices


class StudentAction(SupportAction):
    @sensitive_variables("context")
    def show_page(self, template: str, title: str, **context: Any) -> HttpResponse:
        context |= {"opts": self.model_admin.opts, "student": self.row}
        return admin_page(self.request, f"admin/assessments/{template}", title, **context)

    @sensitive_variables("link_token", "address")
    def issue_link(
        self, *, reason: str, mobile: str = "", is_corrected: bool = False
    ) -> HttpResponse:
        """Issue a link, and show it once."""
        link, link_token = AssessmentLink.objects.issue_by_staff(
            self.row, mobile=mobile, by=self.by, reason=reason, at=self.at
        )
        address = AssessmentLink.url(self.row.project, link_token)
        title = "Give this link to the partner" if is_corrected else "Send this link to the student"
        return self.show_page(
            "fresh_link.html", title, link=link, address=address, is_corrected=is_corrected
        )


class IssueLink(StudentAction):
    name, title = "issue", "Issue a fresh link"
    permission = "assessments.issue_link"
    form_class = FreshLinkForm

    @cached_property
    def numbers(self) -> dict[str, Attempt | None]:
        return AssessmentLink.objects.numbers_for(self.row, self.at)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "numbers": self.numbers}

    def refusal(self) -> str:
        return str(self.row.refusal_of_link)

    def explain(self) -> Sequence[str]:
        until = self.when(self.at + self.row.project.start_by)
        return (
            f"The student gets a new link. It can be started until {until}. {self._effect()}",
            "The next page shows the link once; we neither store nor send it. Earlier links that "
            "can be started keep working.",
        )

    def _effect(self) -> str:
        mobile, attempt = next(iter(self.numbers.items()))
        if len(self.numbers) > 1:
            return (
                "Different mobile numbers were given for this address, perhaps by different "
                "people. Ask the student for theirs: the link continues only the attempt that was "
                "started with the same one."
            )
        if attempt:
            return (
                f"An attempt is open, {progress(attempt)}. The link has the same mobile number, "
                f"{mobile}, so the student can continue on any device, where earlier answers are "
                "not shown, or begin a new attempt."
            )
        if self.row.attempts.open(self.at).exists():
            return (
                "An attempt is open. The link continues it only in the browser where it is open, "
                f"because {mobile} is no valid mobile number, a placeholder, or of more than three "
                "students of the project. Elsewhere it starts a new attempt."
            )
        return "It starts a new attempt."

    def run(self, *, reason: str, mobile: str = "") -> HttpResponse:
        return self.issue_link(reason=reason, mobile=mobile)


class EmailForm(ReasonForm):
    email = forms.CharField(
        label="The right e-mail address",
        max_length=EMAIL_MAX,
        widget=forms.EmailInput(attrs={"size": 40, "autocomplete": "off"}),
    )
    field_order = ("email", "reason")


class CorrectEmail(StudentAction):
    name, title = "correct-email", "Correct the e-mail address"
    permission = "assessments.cancel_link"
    form_class = EmailForm
    explanation = (
        "The student gets the right address, and their links that nobody has started are "
        "cancelled, so nobody can start one that went to the wrong address. The next page shows a "
        "fresh link once; we do not store it.",
        "The wrong address is not kept. The partner finds the student by the right one only; tell "
        "them to correct it in their system.",
    )

    def refusal(self) -> str:
        return str(self.row.refusal_of_correction)

    def run(self, *, email: str, reason: str) -> HttpResponse | str:
        cancelled = self.row.correct_email(email, by=self.by, reason=reason)
        links = "1 link is" if cancelled == 1 else f"{cancelled} links are"
        message = f"The address is corrected, and {links} cancelled."
        if not self.request.user.has_perm("assessments.issue_link"):
            return message
        messages.success(self.request, message)
        return self.issue_link(reason=reason, is_corrected=True)


class EraseForm(ReasonForm):
    reason = reason_field(REASON_MAX)


class Erase(StudentAction):
    name, title = "erase", "Erase student"
    permission = "assessments.erase_student"
    form_class = EraseForm
    student_in_words = ""  # the paragraphs name the student
    has_link = False  # the student's page has one, which may lead to the receipt
    is_final = True

    def explain(self) -> Sequence[str]:
        student, kept = self.row, self.row.row_counts()
        links, attempts, answers = (
            f"{kept[kind]} {kind[:-1]}{pluralize(kept[kind])}"
            for kind in ("links", "attempts", "answers")
        )
        paragraphs = [
            f"You are about to erase student {student.email} of project {student.project}. This "
            "takes effect at once and cannot be undone.",
            "Erased: the name, e-mail address and mobile number of the student and of all links, "
            "and guardians.",
            "Ended: links that can still be started, and an open attempt. The student’s links, "
            "private links and browsers no longer open anything.",
            "Kept without a name until their retention time ends, for statistics: "
            f"{attempts} with {answers}, {links}, and the results. The partner can no longer read "
            "them.",
            "Not affected: the partner’s own records. If the student wants those erased too, tell "
            "the partner. A later request for a link with the same e-mail address creates a new "
            "student.",
        ]
        if others := Student.objects.elsewhere(student):
            named = ", ".join(f"{each.project} (student {each.pk})" for each in others)
            paragraphs.append(
                f"Not affected: {len(others)} student{pluralize(len(others))} with the same "
                f"e-mail address in other projects: {named}. To erase them too, use their own "
                "pages. Note them now: once the address is erased, no page can list them."
            )
        return paragraphs

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Ask; once the student is erased, show the receipt of the erasure."""
        if not self.row.is_erased:
            return super().get(request, *args, **kwargs)
        left = self.row.row_counts()
        return self.show_page("student/erased.html", "Student erased", left=left)

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        is_erased = self.row.is_erased  # meanwhile
        return self.get(self.request) if is_erased else super().form_invalid(form)

    def run(self, *, reason: str) -> HttpResponse:
        self.row.erase(by=self.by, reason=reason)
        return HttpResponseRedirect(self.request.path)


@admin.register(Student)
class StudentAdmin(AuditedAdmin):
    when_empty = "Students appear here with their first link."
    list_display = ("email", "name", "mobile", "project_name", "first_seen")
    list_select_related = ("project",)
    list_filter = (ProjectFilter,)
    row_actions = (IssueLink, CorrectEmail, Erase)
    fields = ("project", "name", "email", "mobile", "first_seen")

    def link_of(self, row: Student) -> AssessmentLink | None:
        """Return the link that was issued or used last, or whose attempt ended last."""
        ended_at = Coalesce("attempt__completed_at", "attempt__abandoned_at")
        last_activity = Coalesce(ended_at, "used_at", "issued_at")
        # Of two links of one attempt, the one used last comes first.
        used_last = F("used_at").desc(nulls_last=True)
        return row.links.with_attempts().order_by(last_activity.desc(), used_last).first()

    first_seen = time_column("created_at", "first seen")
