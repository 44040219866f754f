"""Buttons of the admin: each has a page that says what will happen, and asks what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.admin.options import BaseModelAdmin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.views.generic import FormView

from partners.back_office.admin_base import page_of
from partners.models.audit import Actor, staff_actor
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
    """A button on the page of a row (`self.row`), or on a list if among the `list_actions`."""

    template_name = "admin/confirmation.html"  # its block `says` tells what will happen
    form_class: type[forms.BaseForm] = forms.Form
    name = ""  # the last part of the address
    permission = ""
    title = ""
    button = ""  # the title, if it is empty
    leave = "Cancel"
    is_final = False  # it cannot be undone
    may_repeat = False  # the page stays open, so the button can be pressed again
    model_admin: Any = None
    row: Any = None

    def get_row(self, pk: int) -> Any:
        return get_object_or_404(self.model_admin.get_queryset(self.request), pk=pk)

    def refusal(self) -> str:
        """Return a sentence if the state of the row does not allow it, else ""."""
        return ""

    def run(self, *args: Any, **values: Any) -> HttpResponseBase | str | None:
        """Act, with the values of the form. Raise ValidationError to show it again with the error.

        Return a page, a sentence for the page of the row, or None if `refusal` now says why not.
        """
        raise NotImplementedError

    @property
    def by(self) -> Actor:
        return staff_actor(self.request)

    @property
    def back(self) -> str:
        return page_of(self.row) if self.row else self.address("changelist")

    def address(self, page: str) -> str:
        opts = self.model_admin.opts
        return reverse(f"admin:{opts.app_label}_{opts.model_name}_{page}")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.has_perm(self.permission):
            raise PermissionDenied
        if "pk" in kwargs:
            self.row = self.get_row(kwargs["pk"])
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.ask(self.get_form())

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        return self.ask(form)

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        try:
            done: Any = self.run(**form.cleaned_data)
        except ValidationError as refused:
            form.add_error(None, refused)
            done = None
        if isinstance(done, str):
            return self.leave_with(messages.SUCCESS, done)
        return done or self.ask(form)

    def ask(self, form: forms.BaseForm) -> HttpResponse:
        if refusal := self.refusal():
            return self.leave_with(messages.WARNING, refusal)
        return self.render_to_response(self.get_context_data(form=form))

    def leave_with(self, level: int, text: str) -> HttpResponse:
        messages.add_message(self.request, level, text)
        return HttpResponseRedirect(self.back)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(
            **self.model_admin.admin_site.each_context(self.request),
            opts=self.model_admin.opts,
            media=self.model_admin.media,
            title=self.title,
            target=self.row,
            **context,
        )


class ActionAdmin(BaseModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """An admin with buttons of its own, at `<pk>/<name>/` or `<name>/`."""

    row_actions: ClassVar[Sequence[type[Action]]] = ()
    list_actions: ClassVar[Sequence[type[Action]]] = ()

    def get_urls(self) -> list[URLPattern]:
        pages = [(f"<int:pk>/{each.name}/", each) for each in self.row_actions]
        pages += [(f"{each.name}/", each) for each in self.list_actions]
        urls: list[URLPattern] = super().get_urls()  # type: ignore[misc]  # of ModelAdmin
        for address, action in pages:
            view = self.admin_site.admin_view(action.as_view(model_admin=self))
            name = f"{self.opts.app_label}_{self.opts.model_name}_{action.name.replace('-', '_')}"
            urls.insert(0, path(address, view, name=name))
        return urls
