"""Buttons of the admin: each has a page that says what will happen, and asks what it needs."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.generic import FormView

from partners.back_office.pages import name_of_page, page_of
from partners.models import Actor, Refused, staff_actor
from partners.plain_text import NO_CONTACT, holds_contact


def reason_field(longest: int = 200) -> forms.CharField:
    return forms.CharField(
        max_length=longest,
        help_text="The audit trail keeps this for years. Do not write names of students, e-mail "
        "addresses or phone numbers.",
        widget=forms.TextInput(attrs={"size": 60}),
    )


class ReasonForm(forms.Form):
    required_css_class = "required"

    reason = reason_field()

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        if holds_contact(reason):
            raise forms.ValidationError(NO_CONTACT)
        return reason


class Action(FormView):  # type: ignore[type-arg]  # Django's takes none
    """A button on the page of a row (`self.row`), or on a list if among the `list_actions`.

    Its page asks for a reason, unless `form_class` is another form.
    """

    template_name = "admin/confirmation.html"
    form_class: type[forms.BaseForm] = ReasonForm
    name = ""  # the last part of the address
    permission = ""
    title = ""
    explanation: tuple[str, ...] = ()
    link = ""  # the words of the button that leads here; the title, if it is empty
    has_link = True  # False: the template of the row's page has a button of its own
    button = ""  # the words of the button that acts; the title, if it is empty
    leave = "Cancel"
    is_final = False  # it cannot be undone
    may_repeat = False  # the page stays open, so the button can be pressed again
    model_admin: Any = None
    row: Any = None

    def get_row(self, pk: int) -> Any:
        return get_object_or_404(self.model_admin.get_queryset(self.request), pk=pk)

    def refusal(self) -> str:
        """Return why the state of the row hides the button, for who comes here; else ""."""
        return ""

    def explain(self) -> Sequence[str]:
        """Return the paragraphs that say what will happen, by default the `explanation`."""
        return self.explanation

    def run(self, *args: Any, **values: Any) -> HttpResponseBase | str:
        """Act, with the values of the form. Return a page, or a sentence for the page of the row.

        Refused becomes a warning on the page of the row, ValidationError an error of the form.
        """
        raise NotImplementedError

    @property
    def by(self) -> Actor:
        return staff_actor(self.request)

    @property
    def back(self) -> str:
        if self.row:
            return page_of(self.row)
        return reverse(f"admin:{name_of_page(self.model_admin.model, 'changelist')}")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.has_perm(self.permission):
            raise PermissionDenied
        if "pk" in kwargs:
            self.row = self.get_row(kwargs["pk"])
        if refusal := self.refusal():
            return self.leave_with(messages.WARNING, refusal)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        try:
            done: Any = self.run(**form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        except Refused as refused:
            if self.row:
                return self.leave_with(messages.WARNING, str(refused))
            form.add_error(None, str(refused))
        else:
            return self.leave_with(messages.SUCCESS, done) if isinstance(done, str) else done
        return self.form_invalid(form)

    def leave_with(self, level: int, text: str) -> HttpResponse:
        messages.add_message(self.request, level, text)
        return HttpResponseRedirect(self.back)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(
            **self.model_admin.admin_site.each_context(self.request),
            opts=self.model_admin.opts,
            title=self.title,
            **context,
        )
