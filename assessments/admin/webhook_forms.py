"""The forms of the webhooks' pages."""

from __future__ import annotations

from datetime import timedelta

from django import forms

from assessments.models import WebhookEndpoint
from assessments.models.webhook_events import Kind
from assessments.models.webhooks import CHOICES
from partners.edit_forms import EditForm

LOCAL = "%Y-%m-%dT%H:%M"


class EndpointForm(EditForm):
    class Meta:
        model = WebhookEndpoint
        fields = ("url", *CHOICES)
        # As the partner reads them: Django would begin them with a capital letter.
        labels = {
            "sends_completed": Kind.COMPLETED.value,
            "sends_abandoned": Kind.ABANDONED.value,
            "sends_expired_links": Kind.LINK_EXPIRED.value,
        }
        widgets = {"url": forms.URLInput(attrs={"size": 60, "placeholder": "https://"})}


class SecretForm(forms.Form):
    overlap = forms.TypedChoiceField(
        label="The previous secret",
        coerce=lambda days: timedelta(days=int(days)),
        choices=[
            ("1", "signs too for a day"),
            ("7", "signs too for 7 days"),
            ("0", "ends now: it has leaked"),
        ],
        help_text="While both sign, the partner can change its receiver without a gap.",
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)


class ReplayForm(forms.Form):
    since = forms.DateTimeField(
        input_formats=[LOCAL],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL),
    )
    also_delivered = forms.BooleanField(
        required=False,
        label="Delivered ones too",
        help_text="The receiver sees them again, with the same ids.",
    )
