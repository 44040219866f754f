"""The confirmation page of the admin's buttons."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.template.response import TemplateResponse

from partners.plain_text import NO_CONTACT, holds_contact


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=200,
        help_text="The audit trail keeps this for years. Do not write names of students, e-mail "
        "addresses or phone numbers.",
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        if holds_contact(reason):
            raise forms.ValidationError(NO_CONTACT)
        return reason


def confirmation(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    *,
    title: str,
    says: list[str],
    form: forms.BaseForm,
    button: str = "",
    target: models.Model | None = None,
    is_final: bool = False,
    may_repeat: bool = False,
    back: str = "",
    leave: str = "Cancel",
) -> TemplateResponse:
    """Render a page that says what will happen, with a form that posts to itself.

    The button that posts says `button`, or else the title. The button `leave` leads to `target`,
    the object concerned; without one to the address `back`, else to the list. `is_final` marks an
    action that cannot be undone. With `may_repeat` the button can be pressed again, because the
    page stays open.
    """
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": title,
        "says": says,
        "form": form,
        "button": button or title,
        "target": target,
        "is_final": is_final,
        "may_repeat": may_repeat,
        "back": back,
        "leave": leave,
    }
    return TemplateResponse(request, "admin/confirmation.html", context)
