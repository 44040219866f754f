"""Webhooks of a project: set up, changed, tested, replayed and switched off by support."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count, Min, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables

from assessments.webhooks.models import CHOICES, WebhookEndpoint, WebhookEvent
from assessments.webhooks.sender import ERRORS
from partners.admin_base import ReadOnly, page_of
from partners.confirmation import ReasonForm, confirmation
from partners.edit_forms import EditForm
from partners.models import AuditEvent, Project
from partners.models.audit import ActorContext, staff_actor
from partners.times import moment_in_words

LOCAL = "%Y-%m-%dT%H:%M"


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


@dataclass(frozen=True)
class Act:
    """A button of an endpoint's page."""

    title: str
    button: str
    says: str
    form: type[forms.BaseForm]
    # Takes the endpoint, the form's values and who acts.
    run: Callable[[WebhookEndpoint, dict[str, Any], ActorContext], object]
    done: str  # filled in with what `run` returns
    undone: str = ""


ACTS = {
    "edit": Act(
        *("Change webhooks", "Save"),
        "The change counts from the next call. The secret stays.",
        EndpointForm,
        lambda endpoint, values, who: endpoint.change(values, **who),
        *("Changed.", "Nothing changed."),
    ),
    "secret": Act(
        *("New secret", "Make a new secret"),
        "The next page shows a new secret once. Prepare a safe way to hand it over. A third secret "
        "ends the first at once: wait until the partner uses the second.",
        SecretForm,
        lambda endpoint, values, who: endpoint.rotate_secret(**values, **who),
        *("", "A newer secret was made meanwhile, so this did nothing."),
    ),
    "test": Act(
        *("Send a test event", "Send a test event"),
        "The receiver gets one event of the type webhook.test, signed like all others. It is tried "
        "once, also while webhooks are switched off.",
        forms.Form,
        lambda endpoint, _, who: WebhookEvent.objects.send_test(endpoint, **who),
        "Test event {} is on its way. Reload this page to see what became of it.",
    ),
    "replay": Act(
        *("Send events again", "Send again"),
        "Events that were stored since a time are sent again, with the same ids. We keep them for "
        "30 days. Times are in {zone}.",
        ReplayForm,
        lambda endpoint, values, who: WebhookEvent.objects.replay(endpoint, **values, **who),
        "Events sent again: {:,}.",
        "Nothing was sent: there is nothing to send, or webhooks are off.",
    ),
    "switch_off": Act(
        *("Switch webhooks off", "Switch off"),
        "Nothing is sent from now on. Events are stored, and can be sent again later.",
        ReasonForm,
        lambda endpoint, values, who: endpoint.switch_off(**values, **who),
        *("Switched off.", "It was off already."),
    ),
    "switch_on": Act(
        *("Switch webhooks on", "Switch on"),
        "Events are sent from now on. What was stored meanwhile is sent only if you press “Send "
        "events again” afterwards.",
        forms.Form,
        lambda endpoint, _, who: endpoint.switch_on(**who),
        *("Switched on.", "It was on already."),
    ),
}


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(ReadOnly):
    list_display = ("project_name", "endpoint_id", "state", "undelivered")
    list_select_related = ("project",)
    search_fields = ("endpoint_id", "project__project_id", "project__name")
    search_help_text = "Endpoint id, project or project id"
    ordering = ("project__name", "pk")
    fields = (
        *("project", "endpoint_id", "state", "url", *CHOICES.values(), "sends_reference"),
        *("secret_version", "previous_until", "created_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[WebhookEndpoint]:
        waiting = Q(events__delivered_at=None) & ~Q(events__kind="webhook.test")
        return WebhookEndpoint.objects.annotate(waiting=Count("events", filter=waiting))

    def get_urls(self) -> list[URLPattern]:
        view, name = self.admin_site.admin_view, "assessments_webhookendpoint_"
        acts = [
            path(
                f"<int:pk>/{act.replace('_', '-')}/", view(self.act_view), {"act": act}, name + act
            )
            for act in ACTS
        ]
        set_up = path("set-up/", view(self.set_up_view), name=f"{name}set_up")
        return [set_up, *acts, *super().get_urls()]

    @admin.display(description="project", ordering="project__name")
    def project_name(self, endpoint: WebhookEndpoint) -> str:
        return endpoint.project.name_in_lists

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

    @admin.display(description="not delivered")
    def undelivered(self, endpoint: WebhookEndpoint) -> int:
        count: int = endpoint.waiting  # type: ignore[attr-defined]  # annotated
        return count

    def change_view(
        self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context: dict[str, Any] = {}
        if endpoint := self.get_object(request, object_id):
            events = endpoint.events.select_related("assessment", "link")
            zone = endpoint.project.time_zone
            context = {
                "shown": [
                    (e, outcome(e, zone)) for e in events.order_by("-created_at", "-pk")[:100]
                ],
                "stored": WebhookEvent.objects.stored().filter(endpoint=endpoint).count(),
                "events": AuditEvent.objects.about(endpoint).with_staff_names().newest_first(),
            }
        return super().change_view(request, object_id, extra_context=context)

    def set_up_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for the address, then set the endpoint up and show its secret."""
        self._require(request)
        number = request.GET.get("project", "")
        is_number = number.isascii() and number.isdigit() and len(number) < 19
        project = get_object_or_404(Project, pk=number if is_number else 0)
        form = EndpointForm(request.POST or None)
        if form.is_valid():
            choices = {**form.cleaned_data}
            url, who = choices.pop("url"), staff_actor(request)
            try:
                endpoint = WebhookEndpoint.objects.set_up(project, url, choices=choices, **who)
                return self._secret(request, endpoint)
            except ValidationError as refused:
                form.add_error(None, refused)
        says = [
            f"From now on, we tell the partner's receiver when an assessment of {project} ends. "
            "Events hold no names, addresses or results.",
            "The next page shows the secret that the partner verifies our calls with, once. "
            "Prepare a safe way to hand it over.",
        ]
        title = "Set up webhooks"
        return confirmation(
            self, request, title=title, says=says, form=form, button=title, back=page_of(project)
        )

    @method_decorator(transaction.atomic)
    def act_view(self, request: HttpRequest, pk: int, act: str) -> HttpResponse:
        """Ask what an act needs, then do it."""
        self._require(request)
        locked = WebhookEndpoint.objects.select_related("project").select_for_update(of=("self",))
        endpoint, chosen = get_object_or_404(locked, pk=pk), ACTS[act]
        zone = endpoint.project.time_zone
        with timezone.override(ZoneInfo(zone)):
            form = _form(request, endpoint, chosen.form)
            if form.is_valid():
                try:
                    result = chosen.run(endpoint, form.cleaned_data, staff_actor(request))
                    if result and act == "secret":
                        return self._secret(request, endpoint)
                    said = chosen.done.format(result) if result else chosen.undone
                    level = messages.SUCCESS if result else messages.WARNING
                    messages.add_message(request, level, said)
                    return HttpResponseRedirect(page_of(endpoint))
                except ValidationError as refused:
                    form.add_error(None, refused)
            # Rendered here, in the project's time zone.
            return confirmation(
                self,
                request,
                title=chosen.title,
                says=[chosen.says.format(zone=zone)],
                form=form,
                button=chosen.button,
                target=endpoint,
            ).render()

    def _require(self, request: HttpRequest) -> None:
        if not request.user.has_perm("assessments.manage_webhooks"):
            raise PermissionDenied

    @sensitive_variables("context")
    def _secret(self, request: HttpRequest, endpoint: WebhookEndpoint) -> HttpResponse:
        """Show the secret. The response is not stored by us, a cache or the browser."""
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Copy the secret now",
            "endpoint": endpoint,
            "secret": endpoint.secret,
        }
        template = "admin/assessments/webhookendpoint/secret.html"
        return TemplateResponse(request, template, context, headers={"Cache-Control": "no-store"})


def _form(request: HttpRequest, endpoint: WebhookEndpoint, form: Any) -> Any:
    posted = request.POST if request.method == "POST" else None
    if form is EndpointForm:
        return form(posted, instance=copy(endpoint))
    # Proposes to begin with the oldest event that waits for a replay, else a day ago.
    oldest = endpoint.events.stored().aggregate(at=Min("created_at"))["at"]
    since = oldest or timezone.now() - timedelta(days=1)
    return form(posted, initial={"seen": endpoint.secret_version, "since": since})


def outcome(event: WebhookEvent, zone: str) -> str:
    """Return what became of an event, in words."""
    status = f" ({event.last_status})" if event.last_status else ""
    failed = ERRORS.get(event.last_error, "") + status
    if event.delivered_at:
        return f"delivered {moment_in_words(event.delivered_at, zone)}{status}"
    if not event.next_try_at:
        return f"not delivered: {failed}" if event.tries else "stored while webhooks were off"
    if not event.tries:
        return "waits to be sent"
    next_try = moment_in_words(event.next_try_at, zone)
    if not event.last_error:
        return "being sent"
    return f"try {event.tries} failed: {failed}; next try {next_try}"
