"""Webhooks of a project: set up, changed, tested, replayed and switched off by support."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString

from assessments.webhooks.endpoints import WAS_OFF, WAS_ON, WebhookEndpoint
from assessments.webhooks.events import AFTER, CHOICES, SWITCH_ON_FIRST, WebhookEvent
from assessments.webhooks.sender import ERRORS
from partners.back_office.actions import Action, ReasonForm
from partners.back_office.admin_base import ReadOnlyAdmin
from partners.back_office.edit_forms import EditForm
from partners.back_office.pages import page_of, secret_page
from partners.models import Project
from partners.times import moment_in_words


class EndpointForm(EditForm):
    class Meta:
        model = WebhookEndpoint
        fields = ("url", *CHOICES.values(), "sends_reference")
        # As the partner reads them: Django would begin them with a capital letter.
        labels = {column: kind.value for kind, column in CHOICES.items()}
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
    seen_version = forms.IntegerField(widget=forms.HiddenInput)


class EndpointAction(Action):
    permission = "assessments.manage_webhooks"
    form_class: type[forms.BaseForm] = forms.Form


class SetUp(EndpointAction):
    """Asks for the address, then sets the endpoint up and shows its secret."""

    name, title = "set-up", "Set up webhooks"
    form_class = EndpointForm

    @cached_property
    def project(self) -> Project:
        return get_object_or_404(Project, project_id=self.request.GET.get("project", ""))

    @property
    def back(self) -> str:
        return page_of(self.project)

    def explain(self) -> Sequence[str]:
        return (
            "From now on, we tell the partner's receiver when an attempt of "
            f"{self.project} ends. Events hold no names, addresses or results.",
            "The next page shows the secret that the partner verifies our calls with, once. "
            "Prepare a safe way to hand it over.",
        )

    def run(self, *, url: str, **choices: Any) -> HttpResponse:
        endpoint = WebhookEndpoint.objects.set_up(self.project, url, by=self.by, **choices)
        return secret_page(self.request, endpoint, endpoint.secret)


@method_decorator(transaction.atomic, name="dispatch")  # for the lock of the form
class Edit(EndpointAction):
    name, title, link, button = "edit", "Change webhooks", "Change", "Save"
    explanation = ("The change counts from the next call. The secret stays.",)
    form_class = EndpointForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "instance": self.row}

    def run(self, **values: Any) -> str:
        self.row.change(values, by=self.by)
        return "Changed."


class NewSecret(EndpointAction):
    name, title, button = "secret", "New secret", "Make a new secret"
    explanation = (
        "The next page shows a new secret once. Prepare a safe way to hand it over. A third secret "
        "ends the first at once: wait until the partner uses the second.",
    )
    form_class = SecretForm

    def get_initial(self) -> dict[str, Any]:
        return {"seen_version": self.row.secret_version}

    def run(self, **values: Any) -> HttpResponse:
        self.row.rotate_secret(**values, by=self.by)
        return secret_page(self.request, self.row, self.row.secret)


class SendTest(EndpointAction):
    name, title = "test", "Send a test event"
    explanation = (
        "The receiver gets one event of the type webhook.test, signed like all others. It is tried "
        "once, also while webhooks are switched off.",
    )

    def run(self) -> str:
        event = WebhookEvent.objects.send_test(self.row, by=self.by)
        return f"Test event {event} is on its way. Reload this page to see what became of it."


class Replay(EndpointAction):
    name, title, button = "replay", "Send events again", "Send again"
    explanation = (
        "Events that were not delivered are sent again, with the same ids. We keep them for "
        "30 days.",
    )

    def refusal(self) -> str:
        return "" if self.row.is_on else SWITCH_ON_FIRST

    def run(self) -> str:
        return f"Events sent again: {WebhookEvent.objects.replay(self.row, by=self.by):,}."


class SwitchOff(EndpointAction):
    name, title, link, button = "switch-off", "Switch webhooks off", "Switch off", "Switch off"
    explanation = ("Nothing is sent from now on. Events are stored, and can be sent again later.",)
    form_class = ReasonForm

    def refusal(self) -> str:
        return "" if self.row.is_on else WAS_OFF

    def run(self, *, reason: str) -> str:
        self.row.switch_off(by=self.by, reason=reason)
        return "Switched off."


class SwitchOn(EndpointAction):
    name, title, link, button = "switch-on", "Switch webhooks on", "Switch on", "Switch on"
    explanation = (
        "Events are sent from now on. What was stored meanwhile is sent only if you press “Send "
        "events again” afterwards.",
    )

    def refusal(self) -> str:
        return WAS_ON if self.row.is_on else ""

    def run(self) -> str:
        self.row.switch_on(by=self.by)
        return "Switched on."


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(ReadOnlyAdmin):
    when_empty = "Webhooks appear here once you set them up on a project's page."
    list_actions = (SetUp,)
    row_actions = (SendTest, Edit, NewSecret, Replay, SwitchOff, SwitchOn)
    list_display = ("project_name", "endpoint_id", "state")
    list_select_related = ("project",)
    search_fields = ("endpoint_id", "project__project_id", "project__name")
    search_help_text = "Endpoint id, project or project id"
    ordering = ("project__name", "pk")
    fields = (
        *("project", "endpoint_id", "state", "url", *CHOICES.values(), "sends_reference"),
        *("secret_version", "previous_until", "created_at"),
    )

    @admin.display
    def state(self, endpoint: WebhookEndpoint) -> SafeString:
        if off := endpoint.switched_off_at:
            css, word, at, why = "closed", "off", off, f": {endpoint.switched_off_why}"
        elif failing := endpoint.failing_since:
            css, word, at, why = "ending", "failing", failing, ""
        else:
            return format_html('<span class="state open">{}</span>', "on")
        since = moment_in_words(at, endpoint.project.time_zone)
        return format_html('<span class="state {}">{}</span> since {}{}', css, word, since, why)

    def context_of(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        newest = row.events.select_related("attempt", "link").order_by("-created_at", "-pk")
        shown = [(each, state_in_words(each, row.project.time_zone)) for each in newest[:100]]
        stored = row.events.stored().count()
        return {**super().context_of(request, row), "shown": shown, "stored": stored}


def state_in_words(event: WebhookEvent, zone: str) -> str:
    status = f" ({event.last_status})" if event.last_status else ""
    failed = ERRORS.get(event.last_error, "") + status
    if event.delivered_at:
        return f"delivered {moment_in_words(event.delivered_at, zone)}{status}"
    if not event.queued_at:
        return f"not delivered: {failed}" if event.tries else "stored while webhooks were off"
    if not event.tries:
        return "being sent" if event.leased_until else "waits to be sent"
    due_at = event.queued_at + AFTER[event.tries]
    next_try = moment_in_words(max(due_at, event.endpoint.paused_until or due_at), zone)
    return f"try {event.tries} failed: {failed}; next try {next_try}"
