"""Support actions on links: issue a fresh one, cancel one that nobody has started."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_variables

from assessments.desk.diagnosis import ISSUE
from assessments.desk.link_summary import CANCEL, WORDS, time_formatter
from assessments.desk.support_actions import ReasonAboutForm, SupportAction
from assessments.models import AssessmentLink, Student
from assessments.models.links import AnotherIssued, LinkState, LinkUnavailable, Offer

# Why `issue_by_staff` refuses, by the state that it raises. The student may have changed meanwhile.
WHY_NOT = {
    LinkState.CLOSED: "The project is closed, so its links cannot be started. If the partner wants "
    "that, reopen the project first.",
    LinkState.EXPIRED: "This student was erased, so there is nobody to send a link to.",
}


class FreshLinkForm(ReasonAboutForm):
    """Issues one link even if submitted twice: `newest` is the student's newest link before it."""

    newest = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    mobile = forms.ChoiceField(
        label="The student's mobile number",
        error_messages={
            "required": "Ask the student for the number, then choose it.",
            "invalid_choice": "Choose one of the numbers in the list.",
        },
    )
    field_order = ("mobile", "reason")

    def __init__(self, *args: Any, numbers: Mapping[str, Offer | None], **options: Any) -> None:
        super().__init__(*args, **options)
        self._numbers = numbers
        if len(numbers) == 1:
            del self.fields["mobile"]
            return
        cast("forms.ChoiceField", self.fields["mobile"]).choices = [
            ("", "Choose a number"),
            *((mobile, f"{mobile}: {_continues(offer)}") for mobile, offer in numbers.items()),
        ]

    def what_it_does(self, has_open: bool) -> str:
        """Say whether the link continues an attempt; `has_open` if the student has an open one."""
        if len(self._numbers) > 1:
            return (
                "Different mobile numbers were given for this address, perhaps by different "
                "people. Ask the student for theirs: the link continues only the attempt that was "
                "started with the same one."
            )
        ((mobile, offer),) = self._numbers.items()
        if offer:
            return (
                f"An attempt is open, {_progress(offer)}. The link has the same mobile number, "
                f"{mobile}, so the student can continue on any device, where earlier answers are "
                "not shown, or begin a new attempt."
            )
        if has_open:
            return (
                "An attempt is open. The link continues it only in the browser where it is open, "
                f"because {mobile} is no valid mobile number, a placeholder, or of more than three "
                "students of the project. Elsewhere it starts a new attempt."
            )
        return "It starts a new attempt."


def _continues(offer: Offer | None) -> str:
    if offer is None:
        return "starts a new attempt"
    return f"continues {offer.attempt}, {_progress(offer)}"


def _progress(offer: Offer) -> str:
    attempt = offer.attempt
    return f"{attempt.read_answers().answered_count} of {attempt.cached_bank.layout.total} answered"


class IssueLink(SupportAction):
    name, title = ISSUE, WORDS[ISSUE]
    permission = "assessments.issue_link"
    form_class = FreshLinkForm

    def get_form_kwargs(self) -> dict[str, Any]:
        links = AssessmentLink.objects.of_students([self.row])
        latest = links.newest_of_each().first()
        return {
            **super().get_form_kwargs(),
            "numbers": links.numbers_for(self.row, self.at),
            "initial": {"newest": latest.pk if latest else 0},
        }

    def says(self) -> list[str]:
        until = time_formatter(self.row, self.at)(self.at + self.row.project.start_by)
        has_open = self.row.assessments.open(self.at).exists()
        does = cast("FreshLinkForm", self.get_form()).what_it_does(has_open)
        return [
            self.whom,
            f"The student gets a new link. It can be started until {until}. {does}",
            "The next page shows the link once; we neither store nor send it. Earlier links that "
            "can be started keep working.",
        ]

    def why_not(self) -> str:
        if self.row.is_erased:
            return WHY_NOT[LinkState.EXPIRED]
        return WHY_NOT[LinkState.CLOSED] if self.row.project.is_closed else ""

    @sensitive_variables("link_token", "address")
    def run(self, *, newest: int, reason: str, mobile: str = "") -> HttpResponse:
        try:
            link, link_token = AssessmentLink.objects.issue_by_staff(
                self.row, mobile=mobile, newest=newest, reason=reason, at=self.at, **self.who
            )
        except LinkUnavailable as refused:
            return self.leave_with(messages.ERROR, WHY_NOT[refused.state])
        except AnotherIssued as another:
            return self.leave_with(
                messages.WARNING,
                f"A link was issued to this student a moment ago: {another.link}. Nothing was "
                "changed this time. If you submitted the page twice and did not copy the address, "
                f"press “{self.title}” again: an address is shown only once.",
            )
        address = AssessmentLink.url(self.row.project, link_token)
        return show_link(self.model_admin, self.request, self.row, link, address, self.at)


class CancelLink(SupportAction):
    name, title = CANCEL, WORDS[CANCEL]
    permission = "assessments.cancel_link"
    leave = "Keep the link"
    is_final = True

    def says(self) -> list[str]:
        until = time_formatter(self.student, self.at)(self.row.expires_at)
        return [
            self.whom,
            f"Link #{self.row.pk} can be started until {until}. Once cancelled, it can't be "
            "started, and anyone who opens it reads that it was cancelled.",
            "This cannot be undone, but you can issue a fresh link. Other links of the student "
            "keep working.",
        ]

    def why_not(self) -> str:
        state = self.row.state_at(self.at)
        if state == LinkState.UNUSED:
            return ""
        return f"Nothing was changed: link #{self.row.pk} is {state.label.lower()}."

    def run(self, *, reason: str) -> str | None:
        is_cancelled = self.row.cancel(reason=reason, at=self.at, **self.who)
        return f"Link #{self.row.pk} is cancelled." if is_cancelled else None


@sensitive_variables("address")
def show_link(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    student: Student,
    link: AssessmentLink,
    address: str,
    at: datetime,
) -> HttpResponse:
    """Show the link in a response that no cache and no browser may store."""
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": "Send this link to the student",
        "student": student,
        "link": link,
        "address": address,
        "until": time_formatter(student, at)(link.expires_at),
    }
    headers = {"Cache-Control": "no-store"}
    return TemplateResponse(request, "admin/assessments/fresh_link.html", context, headers=headers)
