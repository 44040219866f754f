"""What students send: a start with consent, and a page of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from assessments.models.answers import Answer
from assessments.question import question


class StartForm(forms.Form):
    """The landing page's form. Its consent box is never ticked beforehand."""

    consent = forms.BooleanField(
        error_messages={"required": _("Tick the box to agree before you start.")}
    )
    start = forms.ChoiceField(
        choices=[("continue", "continue"), ("again", "again")], required=False
    )


class PageForm(forms.Form):
    """One choice for each answer of a page; built from the rows."""

    def __init__(
        self, page: Sequence[Answer], language: str, data: Mapping[str, Any] | None = None
    ):
        super().__init__(data)
        self.page = page
        self.language = language
        for answer in page:
            self.fields[self.control(answer)] = forms.ChoiceField(
                choices=[
                    (str(option.value), option.label[language]) for option in answer.asked.options
                ],
                required=not answer.is_locked,
                error_messages={
                    "required": _("Choose one answer."),
                    "invalid_choice": _("Choose one of the answers shown."),
                },
            )

    def control(self, answer: Answer) -> str:
        """Return the name of the control that carries this answer."""
        return "answer" if len(self.page) == 1 else f"answer-{answer.position}"

    def choices(self) -> dict[int, int]:
        """Return the choices that are valid, by position, also of a page with gaps."""
        self.full_clean()
        return {
            answer.position: int(self.cleaned_data[self.control(answer)])
            for answer in self.page
            if self.cleaned_data.get(self.control(answer))
        }

    def questions(self) -> list[dict[str, Any]]:
        """Return what the page's template shows of each question."""
        return [self._question(answer) for answer in self.page]

    def summary(self) -> list[dict[str, str]]:
        """Return the errors in the order of the page, each with its control's name."""
        return [
            {"control": question["control"], "text": question["error"]}
            for question in self.questions()
            if question["error"]
        ]

    def _question(self, answer: Answer) -> dict[str, Any]:
        control = self.control(answer)
        errors: Sequence[Any] = self.errors.get(control, []) if self.is_bound else []
        shown = question(
            answer.asked.content,
            answer.asked.options,
            self.language,
            position=answer.position,
            control=control,
            chosen=answer.choice,
        )
        error = str(errors[0]) if errors else ""
        return {**shown, "error": error, "locked": answer.is_locked}
