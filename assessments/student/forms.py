"""The forms of the start, of subjects and ideas, and of pages with questions of the bank."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from django import forms
from django.template.loader import render_to_string
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from assessments.models import identity
from assessments.models.answers import ShownAnswer
from assessments.models.links import NOT_ASKED, Age
from measurement.courses import STREAM_ANSWERS, CourseData
from measurement.drawings import describe_figure
from measurement.layout import Layout
from measurement.recommendation import MAX_NAMED
from partners.plain_text import is_letter

GUARDIAN_FIELDS = ("guardian_name", "guardian_contact")
AGE_FIELDS = ("age", *GUARDIAN_FIELDS)
NO_NAME = _("Write your parent's or guardian's name.")
HIDDEN_CHARACTER = _("Type the name again instead of pasting it: it holds a hidden character.")
NO_CONTACT = _(
    "Write an e-mail address, such as name@example.com, or a mobile number, such as 98765 43210."
)

# By section, the error of an unanswered question, in the words of the question.
UNANSWERED = {
    "interests": _("Say how much you'd like this."),
    "fields": _("Say how much you'd like this."),
    "aptitude": _("Choose one answer, or “I don't know”."),
    "preferences": _("Say how far you agree."),
}
MAX_SIGN = 12  # characters; longer answers get their own line
# Speech software says a group of letters as a word, but not after a number, which makes it a unit,
# and leaves out the colon of a ratio.
MISREAD = re.compile(r"(?<![0-9] )\b[A-Z]{2,}\b|([0-9]+) : ([0-9]+)")


class StartForm(forms.Form):
    consent = forms.BooleanField(
        error_messages={"required": _("Tick the box to agree before you start.")}
    )
    start = forms.ChoiceField(
        choices=[("continue", "continue"), ("again", "again")],
        required=False,
        error_messages={"invalid_choice": _("Press one of the buttons on this page.")},
    )
    age = forms.ChoiceField(
        choices=[("adult", "adult"), ("minor", "minor")],
        error_messages={
            "required": _("Say whether you are under 18."),
            "invalid_choice": _("Choose one of the two answers about your age."),
        },
    )
    guardian_name = forms.CharField(
        max_length=identity.NAME_MAX,
        error_messages={
            "required": NO_NAME,
            "max_length": _("Shorten your guardian's name to %(limit_value)d characters."),
            "null_characters_not_allowed": HIDDEN_CHARACTER,
        },
    )
    guardian_contact = forms.CharField(
        error_messages={
            "required": _("Write your parent's or guardian's e-mail address or mobile number."),
            "null_characters_not_allowed": NO_CONTACT,
        }
    )

    # The order of the page, and so of the error summary.
    field_order = ("age", "guardian_name", "guardian_contact", "consent", "start")

    def __init__(self, data: Mapping[str, Any], *, asks_age: bool):
        super().__init__(data)
        is_minor = asks_age and data.get("age") == "minor"
        for name in () if is_minor else GUARDIAN_FIELDS if asks_age else AGE_FIELDS:
            del self.fields[name]

    def clean_guardian_name(self) -> str:
        name: str = self.cleaned_data["guardian_name"]
        if not any(map(is_letter, name)):
            raise forms.ValidationError(NO_NAME)
        try:
            return identity.read_name(name)
        except ValueError as error:
            is_template = str(error) == identity.TEMPLATE
            text = NO_NAME if is_template else HIDDEN_CHARACTER
            raise forms.ValidationError(text) from None

    def clean_guardian_contact(self) -> str:
        try:
            return identity.read_contact(self.cleaned_data["guardian_contact"])
        except ValueError:
            raise forms.ValidationError(NO_CONTACT) from None

    def read_age(self) -> Age:
        if "age" not in self.fields:
            return NOT_ASKED
        data = self.cleaned_data
        guardian = {name: data[name] for name in GUARDIAN_FIELDS if name in data}
        return Age(is_minor=data["age"] == "minor", **guardian)


class StreamForm(forms.Form):
    answer = forms.ChoiceField(
        choices=[(stream, stream) for stream in STREAM_ANSWERS],
        error_messages={
            "required": _("Choose your subjects, or “Not decided, or other subjects”."),
            "invalid_choice": _("Choose one of the answers shown."),
        },
    )


class IdeasForm(forms.Form):
    course = forms.MultipleChoiceField(
        required=False,
        error_messages={"invalid_choice": _("The list of courses has changed. Choose again.")},
    )
    unlisted = forms.BooleanField(required=False)

    def __init__(self, courses: Sequence[CourseData], data: Any = None) -> None:
        super().__init__(data)
        choices = [(course.code, course.name) for course in courses]
        cast("forms.MultipleChoiceField", self.fields["course"]).choices = choices

    def clean_course(self) -> list[str]:
        codes: list[str] = self.cleaned_data["course"]
        if len(codes) > MAX_NAMED:
            raise forms.ValidationError(_("Choose at most %(most)s courses.") % {"most": MAX_NAMED})
        return codes


class PageForm(forms.Form):
    """A field for each question of a page. `missing` are the positions to name as unanswered."""

    def __init__(
        self,
        layout: Layout,
        position: int,
        data: Mapping[str, Any] | None = None,
        missing: Sequence[int] = (),
    ) -> None:
        super().__init__(data)
        self.section = layout.section_at(position)
        self.positions = self.section.page(position)
        self.missing = missing
        for each in self.positions:
            self.fields[self.control_name(each)] = forms.IntegerField(required=False)

    def control_name(self, position: int) -> str:
        return "answer" if len(self.positions) == 1 else f"answer-{position}"

    @cached_property
    def choices(self) -> dict[int, int]:
        """The submitted values of options by position."""
        self.full_clean()
        values = {each: self.cleaned_data.get(self.control_name(each)) for each in self.positions}
        return {each: value for each, value in values.items() if value is not None}

    def summarize_missing(self) -> dict[str, list[dict[str, Any]]]:
        """Return one missing answer as `errors`; several as `missing`, which share a line."""
        listed = [
            {
                "field": f"{self.control_name(each)}-1",
                "number": self.section.number_of(each) if len(self.positions) > 1 else 0,
                "text": UNANSWERED[self.section.code],
            }
            for each in self.missing
        ]
        is_one = len(listed) == 1
        return {"errors": listed if is_one else [], "missing": [] if is_one else listed}

    def question_context(self, answer: ShownAnswer, language: str) -> dict[str, Any]:
        """Return the context of a question; if unanswered, as cached HTML."""
        item, control = answer.item, self.control_name(answer.position)
        number = self.section.number_of(answer.position)
        error = UNANSWERED[self.section.code] if answer.position in self.missing else ""
        is_open = not error and answer.choice is None
        # Only statements show their number.
        key = (language, control, 0 if item.is_aptitude else number)
        if not is_open or key not in item.fieldsets:
            context = {
                **describe_question(
                    item.content, item.options, language, number, control, answer.choice
                ),
                "error": error,
                "locked": answer.is_locked,
                "is_replaceable": answer.is_replaceable,
            }
            if not is_open:
                return context
            item.fieldsets[key] = render_to_string(
                "student/_question.html", {"question": context, "section": {"code": item.section}}
            )
        return {"position": number, "control": control, "fieldset": item.fieldsets[key]}


def describe_question(
    content: Mapping[str, Any],
    options: Iterable[Mapping[str, Any]],
    language: str,
    number: int,
    control: str,
    chosen: int | None = None,
) -> dict[str, Any]:
    """Return a question's context; `control` is the name of its radio buttons."""
    return {
        **_describe_prompt(content, language),
        "position": number,
        "control": control,
        "options": [
            {
                **_describe_option(option, language),
                "number": place,
                "value": option["value"],
                "checked": option["value"] == chosen,
            }
            for place, option in enumerate(options, start=1)
        ],
    }


def describe_example(content: Mapping[str, Any], language: str) -> dict[str, Any]:
    return {
        **_describe_prompt(content, language),
        "title": content["title"][language],
        "options": [_describe_option(option, language) for option in content.get("options", [])],
        "answer": _aloud(content["answer"][language]),
        "explanation": content["explanation"][language],
    }


def _describe_prompt(content: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return what precedes the options, and `answers_as`, their layout."""
    options = content.get("options", [])
    longest = max((len(option["label"][language]) for option in options), default=0)
    answers_as = "signs" if longest <= MAX_SIGN else "words"
    if any(option.get("figure") for option in options):
        answers_as = "pictures"
    figure = content.get("figure")
    return {
        "text": content["text"][language],
        "passage": [_aloud(each) for each in content.get("passage", {}).get(language, [])],
        "lines": [_aloud(each) for each in content.get("lines", [])],
        "figure": describe_figure(figure, language) if figure else None,
        "answers_as": answers_as,
    }


def _describe_option(option: Mapping[str, Any], language: str) -> dict[str, Any]:
    figure = option.get("figure")
    return {
        "label": _aloud(option["label"][language]),
        "figure": describe_figure(figure, language) if figure else None,
    }


def _aloud(text: str) -> str:
    """Return a text of a puzzle; if it would be misread, as HTML with other words to be spoken."""

    def spell(match: re.Match[str]) -> str:
        if match[1]:
            return gettext("%(first)s to %(second)s") % {"first": match[1], "second": match[2]}
        return " ".join(match[0])

    spoken = MISREAD.sub(spell, text)
    if spoken == text:
        return text
    html = '<span aria-hidden="true">{}</span><span class="aloud">{}</span>'
    return format_html(html, text, spoken)
