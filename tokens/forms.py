"""Forms to issue, rotate and revoke a token."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import QueryDict

from partners.actions import ReasonForm, reason_field
from partners.models import Project
from partners.plain_text import validate_plain_text
from partners.times import parse_duration
from tokens import crypto

# A page may stay open over a weekend, but not for ever.
ONCE_MAX_AGE = timedelta(days=3)
OUTDATED = "This page was open for too long, so nothing was changed. Press the button again."
KEEP, CANCEL = "keep", "cancel"
CANCEL_LATER = (
    "Until it ends, the old token issues more links. Let it end at once, or cancel its links after "
    "its end, on its page."
)


def _duration(text: str) -> timedelta | None:
    return parse_duration(text) if text else None


class OnceForm(forms.Form):
    """A form that issues one token, however often it is submitted.

    It contains the id of the future token, signed for the current user. Ids are unique in the
    database, so a second submission finds the token.
    """

    required_css_class = "required"

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
            ("", "never: it works until it is rotated or revoked"),
            ("30d", "after 30 days"),
            ("90d", "after 90 days"),
            ("180d", "after 180 days"),
            ("365d", "after a year"),
        ],
    )


class IssueForm(ReasonForm, NewTokenForm):
    project = forms.ModelChoiceField(Project.objects.open().select_related("partner"))
    field_order = ("project", "label", "expires_in", "reason")


class LinksForm(forms.Form):
    """Asks what happens to the unused links of a token that ends, if it has any."""

    links = forms.ChoiceField(
        choices=[
            ("", "Choose"),
            (KEEP, "stay: students can start them until they expire"),
            (CANCEL, "are cancelled: nobody can start them"),
        ],
        help_text="Cancel them if somebody else may have made or read them. The partner then "
        "issues new ones to its students.",
        error_messages={"required": "Choose what happens to the links."},
    )

    def __init__(self, *args: Any, unused: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if unused:
            self.fields["links"].label = f"Its {unused:,} unused link{'' if unused == 1 else 's'}"
        else:
            del self.fields["links"]


class RevokeForm(LinksForm, ReasonForm):
    field_order = ("links", "reason")


class RotateForm(ReasonForm, LinksForm, OnceForm):
    """Asks about links only if the old token ends at once; until it ends, it issues more."""

    # The audit trail names the successor beside it.
    reason = reason_field(150)
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
    field_order = ("overlap", "links", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if links := self.fields.get("links"):
            links.required = False
            links.label = f"{links.label}, if it ends at once"

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if {"overlap", "links"} <= data.keys():
            if data["overlap"] and data["links"] == CANCEL:
                self.add_error("links", CANCEL_LATER)
            if not data["overlap"] and not data["links"]:
                self.add_error("links", self.fields["links"].error_messages["required"])
        return data
