"""Forms to issue, rotate and revoke a token."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import QueryDict

from partners.confirmation import ReasonForm
from partners.models import Project
from partners.plain_text import validate_plain_text
from tokens import crypto
from tokens.durations import parse_duration

# A page may stay open over a weekend, but not for ever.
ONCE_MAX_AGE = timedelta(days=3)
OUTDATED = "This page was open for too long, so nothing was changed. Press the button again."
NEVER = ""


def _duration(text: str) -> timedelta | None:
    return parse_duration(text) if text else None


class OnceForm(forms.Form):
    """A form that issues one token, however often it is submitted.

    It contains the id of the future token, signed for the current user. Ids are unique in the
    database, so a second submission finds the token.
    """

    once = forms.CharField(widget=forms.HiddenInput, error_messages={"required": OUTDATED})

    def __init__(self, data: Any = None, *, user: AbstractBaseUser | AnonymousUser, **kwargs: Any):
        self._salt = f"tokens.once.{user.pk}"
        kwargs["initial"] = {**kwargs.get("initial", {}), "once": self._new_once()}
        super().__init__(data, **kwargs)

    def clean_once(self) -> str:
        try:
            return cast(
                "str",
                signing.loads(self.cleaned_data["once"], salt=self._salt, max_age=ONCE_MAX_AGE),
            )
        except signing.BadSignature:
            # The page is shown again with a new id.
            self.data = cast("QueryDict", self.data).copy()
            self.data["once"] = self._new_once()
            raise forms.ValidationError(OUTDATED) from None

    @property
    def token_id(self) -> str:
        """Return the id of the token to issue."""
        return cast("str", self.cleaned_data["once"])

    def _new_once(self) -> str:
        return signing.dumps(crypto.new_token_id(), salt=self._salt)


class NewTokenForm(OnceForm):
    """The form to issue a token that replaces no other."""

    label = forms.CharField(
        required=False,
        max_length=100,
        validators=[validate_plain_text],
        widget=forms.TextInput(attrs={"size": 60}),
        help_text="What it is used for, for example “CRM, production”.",
    )
    expires_in = forms.TypedChoiceField(
        label="Expires",
        required=False,
        coerce=_duration,
        empty_value=None,
        choices=[
            (NEVER, "never: it works until it is rotated or revoked"),
            ("30d", "after 30 days"),
            ("90d", "after 90 days"),
            ("180d", "after 180 days"),
            ("365d", "after a year"),
        ],
    )


class IssueForm(ReasonForm, NewTokenForm):
    project = forms.ModelChoiceField(Project.objects.open().select_related("partner"))
    field_order = ("project", "label", "expires_in", "reason")


class RotateForm(OnceForm):
    overlap = forms.TypedChoiceField(
        label="The old token ends",
        coerce=_duration,
        initial="7d",
        choices=[
            ("0", "at once, without an overlap"),
            ("1h", "after an hour"),
            ("1d", "after a day"),
            ("7d", "after 7 days"),
            ("14d", "after 14 days"),
            ("30d", "after 30 days"),
        ],
        help_text="Until then both work, so that the partner can switch without a gap.",
    )
