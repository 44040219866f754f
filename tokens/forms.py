from django import forms

from partners.back_office.actions import ReasonForm, reason_field
from partners.models import Project
from partners.times import parse_duration
from tokens import crypto
from tokens.models import ROTATE_REASON_MAX, AccessToken


class NewTokenForm(forms.Form):
    required_css_class = "required"

    label = AccessToken._meta.get_field("label").formfield(
        widget=forms.TextInput(attrs={"size": 60})
    )
    expires_in = forms.TypedChoiceField(
        label="Expires",
        required=False,
        coerce=parse_duration,
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
    """Carries the future token's id, so that it issues one token however often it is sent."""

    project = forms.ModelChoiceField(Project.objects.open().select_related("partner"))
    token_id = forms.RegexField(
        crypto.NEW_TOKEN_ID, initial=crypto.new_token_id, widget=forms.HiddenInput
    )
    field_order = ("project", "label", "expires_in", "reason")


class RotateForm(ReasonForm):
    reason = reason_field(ROTATE_REASON_MAX)
    overlap = forms.TypedChoiceField(
        label="The old token ends",
        coerce=parse_duration,
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
    field_order = ("overlap", "reason")
