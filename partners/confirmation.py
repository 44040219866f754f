"""The page between a button of the admin and what it does."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.template.response import TemplateResponse

from partners import reasons


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=200,
        help_text="Kept in the audit trail for years: no names of students, no e-mail addresses, "
        "no phone numbers.",
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        if reasons.holds_contact(reason):
            raise forms.ValidationError(reasons.NO_CONTACT)
        return reason


def confirmation(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    *,
    title: str,
    says: list[str],
    form: forms.Form,
    button: str,
    target: models.Model | None = None,
    is_final: bool = False,
    may_repeat: bool = False,
    back: str = "",
) -> TemplateResponse:
    """Say what is about to happen, with a form whose one button does it. The form posts to itself.

    `target` is the object it happens to, for the way back; without one it leads to the address
    `back`, else to the list. `is_final` marks what cannot be undone. With `may_repeat` the button
    serves again after it was pressed, as the page stays.
    """
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": title,
        "says": says,
        "form": form,
        "button": button,
        "target": target,
        "is_final": is_final,
        "may_repeat": may_repeat,
        "back": back,
    }
    return TemplateResponse(request, "admin/confirmation.html", context)
