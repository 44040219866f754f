"""The page between a button of the admin and what it does."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.template.response import TemplateResponse


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=200,
        help_text="Kept in the audit trail. No names or e-mail addresses of students, please.",
        widget=forms.TextInput(attrs={"size": 60}),
    )


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
) -> TemplateResponse:
    """Say what is about to happen, with a form whose one button does it. The form posts to itself.

    `target` is the object it happens to, for the way back; without one it leads to the list.
    `is_final` marks what cannot be undone.
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
    }
    return TemplateResponse(request, "admin/confirmation.html", context)
