"""Forms of sign-in: user name and password, then a code."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_variables

from staff import second_factor, sign_in_limits


def too_many(seconds: int) -> str:
    return ngettext(
        "Too many tries. Wait %(n)s second, then try again.",
        "Too many tries. Wait %(n)s seconds, then try again.",
        seconds,
    ) % {"n": seconds}


def busy(seconds: int) -> str:
    return ngettext(
        "Others are signing in at this moment. Wait %(n)s second, then try again.",
        "Others are signing in at this moment. Wait %(n)s seconds, then try again.",
        seconds,
    ) % {"n": seconds}


class SignInForm(AdminAuthenticationForm):
    """User name and password. After too many tries `wait` is the seconds until the next one."""

    wait = 0
    error_messages = {
        "invalid_login": "User name and password don't match. Check both: capital letters count.",
        "inactive": "User name and password don't match. Check both: capital letters count.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "User name"
        self.fields["username"].error_messages["required"] = "Type your user name."
        self.fields["password"].error_messages["required"] = "Type your password."

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        if not (name and self.cleaned_data.get("password")):
            return super().clean()
        request = cast("HttpRequest", self.request)
        with sign_in_limits.place_to_hash(request, name) as has_place:
            if not has_place:
                self.wait = sign_in_limits.BUSY
                raise ValidationError(busy(self.wait), code="busy")
            self.wait = sign_in_limits.count_try(request, name)
            if self.wait:
                raise ValidationError(too_many(self.wait), code="too_many")
            return super().clean()


class CodeForm(forms.Form):
    """A code from the app, or a recovery code.

    Both are accepted either way; `is_recovery` only chooses the label and the phone's keyboard.
    `cleaned_data["code"]` has no spaces or dashes. After too many tries `wait` is the seconds
    until the next one.
    """

    wait = 0

    code = forms.CharField(
        max_length=60,
        label="Six-digit code",
        error_messages={"required": "Type the code."},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "inputmode": "numeric",
                "size": 12,
            }
        ),
    )

    def __init__(
        self, *args: Any, is_recovery: bool = False, is_focused: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.is_recovery = is_recovery
        self.fields["code"].widget.attrs["autofocus"] = is_focused
        if is_recovery:
            field = self.fields["code"]
            field.label = "Recovery code"
            field.widget.attrs |= {"inputmode": "text", "autocapitalize": "none", "size": 24}
            field.widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}

    @sensitive_variables()
    def clean_code(self) -> str:
        code = second_factor.normalised(self.cleaned_data["code"])
        if not code:
            raise ValidationError(
                "A recovery code has sixteen letters and digits. Check what you typed."
                if self.is_recovery
                else "The code has six digits. Check what you typed."
            )
        return code

    def refuse(self, answer: second_factor.Answer) -> None:
        """Add the reason for the refusal to the form."""
        self.wait = answer.wait
        if answer.wait:
            self.add_error("code", too_many(answer.wait))
        elif self.is_recovery:
            self.add_error("code", "This recovery code is wrong or was already used.")
        else:
            self.add_error(
                "code",
                "This code is wrong or was already used. Type the next one that your app shows.",
            )
            self.data = {}  # do not show a code that has expired
