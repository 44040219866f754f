"""Webhooks of a project: set up, changed, tested, replayed and switched off by support."""

from __future__ import annotations

from copy import copy
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables

from assessments.admin.readonly import ReadOnly, links_to, page_of
from assessments.webhooks.models import (
    CHOICES,
    AlreadySetUp,
    Kind,
    NoKey,
    WebhookEndpoint,
    WebhookEvent,
)
from assessments.webhooks.sender import ERRORS
from partners.actor_context import staff_actor
from partners.confirmation import ReasonForm, confirmation
from partners.edit_forms import EditForm
from partners.models import AuditEvent, Project
from partners.times import moment_in_words

SHOWN = 100
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


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(ReadOnly):
    list_display = ("project_name", "endpoint_id", "state", "undelivered", "created")
    list_select_related = ("project",)
    search_fields = ("endpoint_id", "project__project_id", "project__name")
    search_help_text = "Endpoint id, project or project id"
    ordering = ("project__name", "pk")
    fields = (
        *("project_page", "endpoint_id", "state", "url", "sends", "reference"),
        *("secret_state", "created"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[WebhookEndpoint]:
        waiting = Q(events__delivered_at=None) & ~Q(events__kind="webhook.test")
        return WebhookEndpoint.objects.annotate(waiting=Count("events", filter=waiting))

    def get_urls(self) -> list[URLPattern]:
        views = {
            "edit": self.edit_view,
            "secret": self.secret_view,
            "test": self.test_view,
            "replay": self.replay_view,
            "switch-off": self.switch_off_view,
            "switch-on": self.switch_on_view,
        }
        name = "assessments_webhookendpoint"
        return [
            path("set-up/", self.admin_site.admin_view(self.set_up_view), name=f"{name}_set_up"),
            *(
                path(
                    f"<int:pk>/{part}/",
                    self.admin_site.admin_view(view),
                    name=f"{name}_{part.replace('-', '_')}",
                )
                for part, view in views.items()
            ),
            *super().get_urls(),
        ]

    @admin.display(description="project", ordering="project__name")
    def project_name(self, endpoint: WebhookEndpoint) -> str:
        return endpoint.project.name_in_lists

    @admin.display(description="project")
    def project_page(self, endpoint: WebhookEndpoint) -> SafeString:
        return links_to([endpoint.project])

    @admin.display
    def state(self, endpoint: WebhookEndpoint) -> SafeString | str:
        zone = endpoint.project.time_zone
        if not endpoint.is_on:
            since = moment_in_words(endpoint.switched_off_at, zone)
            mark = format_html('<span class="state closed">{}</span>', "off")
            return format_html("{} since {}: {}", mark, since, endpoint.switched_off_why)
        if endpoint.failing_since:
            since = moment_in_words(endpoint.failing_since, zone)
            mark = format_html('<span class="state ending">{}</span>', "failing")
            return format_html("{} since {}", mark, since)
        return format_html('<span class="state open">{}</span>', "on")

    @admin.display(description="not delivered")
    def undelivered(self, endpoint: WebhookEndpoint) -> int:
        count: int = endpoint.waiting  # type: ignore[attr-defined]  # annotated
        return count

    @admin.display(description="set up", ordering="created_at")
    def created(self, endpoint: WebhookEndpoint) -> str:
        return moment_in_words(endpoint.created_at, endpoint.project.time_zone)

    @admin.display(description="events")
    def sends(self, endpoint: WebhookEndpoint) -> str:
        return ", ".join(kind for kind in Kind if endpoint.wants(kind)) or "none"

    @admin.display(description="reference")
    def reference(self, endpoint: WebhookEndpoint) -> str:
        return "sent with each event" if endpoint.sends_reference else "not sent"

    @admin.display(description="secret")
    def secret_state(self, endpoint: WebhookEndpoint) -> str:
        until = endpoint.previous_until
        if until and until > timezone.now():
            ends = moment_in_words(until, endpoint.project.time_zone)
            return f"version {endpoint.secret_version}; the previous one signs too until {ends}"
        return f"version {endpoint.secret_version}"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        context: dict[str, Any] = {**(extra_context or {})}
        if endpoint := self.get_object(request, object_id):
            newest = endpoint.events.select_related("assessment", "link").order_by(
                "-created_at", "-pk"
            )
            context["shown"] = [event_row(event, endpoint) for event in newest[:SHOWN]]
            context["stored"] = WebhookEvent.objects.stored().filter(endpoint=endpoint).count()
            events = AuditEvent.objects.about(endpoint).with_staff_names()
            context["events"] = events.newest_first()
        return super().change_view(request, object_id, form_url, context)

    @sensitive_variables("secret")
    def set_up_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for the address, then set the endpoint up and show its secret."""
        self._require(request)
        project = get_object_or_404(Project, pk=_number(request.GET.get("project")))
        form = EndpointForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            data = form.cleaned_data
            try:
                endpoint = WebhookEndpoint.objects.set_up(
                    project,
                    data["url"],
                    choices={name: data[name] for name in CHOICES},
                    **staff_actor(request),
                )
            except NoKey as refused:
                form.add_error(None, str(refused))
            except AlreadySetUp:
                messages.warning(request, "This project's webhooks were set up before.")
                return HttpResponseRedirect(page_of(project.webhook_endpoint))
            else:
                return self._secret(request, endpoint)
        return confirmation(
            self,
            request,
            title="Set up webhooks",
            says=[
                f"From now on, we tell the partner's receiver when an assessment of {project} "
                "ends. Events hold no names, addresses or results.",
                "The next page shows the secret that the partner verifies our calls with, once. "
                "Prepare a safe way to hand it over.",
            ],
            form=form,
            button="Set up webhooks",
            back=page_of(project),
        )

    @method_decorator(transaction.atomic)
    def edit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Change the address and what is sent."""
        endpoint = self._endpoint(request, pk)
        if request.method == "POST":
            endpoint.refresh_from_db(from_queryset=WebhookEndpoint.objects.select_for_update())
        form = EndpointForm(request.POST or None, instance=copy(endpoint))
        if form.is_valid():
            changed = endpoint.change(form.cleaned_data, **staff_actor(request))
            return self._back(request, endpoint, "Changed." if changed else "Nothing changed.")
        return confirmation(
            self,
            request,
            title="Change webhooks",
            says=["The change counts from the next call. The secret stays."],
            form=form,
            button="Save",
            target=endpoint,
        )

    @sensitive_variables("secret")
    def secret_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for the overlap, then replace the secret and show the new one."""
        endpoint = self._endpoint(request, pk)
        form = SecretForm(request.POST or None, initial={"seen": endpoint.secret_version})
        if form.is_valid():
            data = form.cleaned_data
            try:
                made = endpoint.rotate_secret(
                    overlap=data["overlap"], seen=data["seen"], **staff_actor(request)
                )
            except NoKey as refused:
                form.add_error(None, str(refused))
            else:
                if made:
                    return self._secret(request, endpoint)
                says = "A newer secret was made meanwhile, so this did nothing."
                return self._back(request, endpoint, says, messages.WARNING)
        return confirmation(
            self,
            request,
            title="New secret",
            says=[
                "The next page shows a new secret once. Prepare a safe way to hand it over.",
                "A third secret ends the first at once: wait until the partner uses the second.",
            ],
            form=form,
            button="Make a new secret",
            target=endpoint,
        )

    def test_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Queue a test event."""
        endpoint = self._endpoint(request, pk)
        if request.method == "POST":
            event = WebhookEvent.objects.send_test(endpoint, **staff_actor(request))
            says = f"Test event {event} is on its way. Reload this page to see what became of it."
            return self._back(request, endpoint, says)
        return confirmation(
            self,
            request,
            title="Send a test event",
            says=[
                "The receiver gets one event of the type webhook.test, signed like all others. It "
                "is tried once, also while webhooks are switched off."
            ],
            form=forms.Form(),
            button="Send a test event",
            target=endpoint,
        )

    def replay_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send stored events again: one that is named, or all since a time."""
        endpoint = self._endpoint(request, pk)
        events = WebhookEvent.objects.all()
        if one := request.GET.get("event", ""):
            events = events.filter(event_id=one, endpoint=endpoint)
            form: forms.Form = forms.Form(request.POST or None)
            since, all_of_them = endpoint.created_at, True
            get_object_or_404(events)
            is_sent = request.method == "POST"
        else:
            with timezone.override(ZoneInfo(endpoint.project.time_zone)):
                form = ReplayForm(request.POST or None, initial=_initial(endpoint))
                is_sent = form.is_valid()
            if is_sent:
                since = form.cleaned_data["since"]
                all_of_them = form.cleaned_data["also_delivered"]
        if is_sent and endpoint.is_on:
            count = events.replay(
                endpoint, since=since, also_delivered=all_of_them, **staff_actor(request)
            )
            says = "1 event is sent again." if count == 1 else f"{count:,} events are sent again."
            return self._back(request, endpoint, says)
        if not endpoint.is_on:
            says = "Switch webhooks on first; then send the stored events."
            return self._back(request, endpoint, says, messages.WARNING)
        return confirmation(
            self,
            request,
            title="Send events again",
            says=[
                f"Event {one} is sent again, with the same id."
                if one
                else "Events that were stored since a time are sent again, with the same ids. We "
                f"keep them for 30 days. Times are in {endpoint.project.time_zone}."
            ],
            form=form,
            button="Send again",
            target=endpoint,
        )

    def switch_off_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason, then send nothing any more."""
        endpoint = self._endpoint(request, pk)
        form = ReasonForm(request.POST or None)
        if form.is_valid():
            off = endpoint.switch_off(reason=form.cleaned_data["reason"], **staff_actor(request))
            return self._back(request, endpoint, "Switched off." if off else "It was off already.")
        return confirmation(
            self,
            request,
            title="Switch webhooks off",
            says=["Nothing is sent from now on. Events are stored, and can be sent again later."],
            form=form,
            button="Switch off",
            target=endpoint,
        )

    def switch_on_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send what ends from now on."""
        endpoint = self._endpoint(request, pk)
        if request.method == "POST":
            on = endpoint.switch_on(**staff_actor(request))
            return self._back(request, endpoint, "Switched on." if on else "It was on already.")
        return confirmation(
            self,
            request,
            title="Switch webhooks on",
            says=[
                "Events are sent from now on. What was stored meanwhile is sent only if you press "
                "“Send events again” afterwards."
            ],
            form=forms.Form(),
            button="Switch on",
            target=endpoint,
        )

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Users who may change webhooks must be able to find them.
        may_act = request.user.has_perm("assessments.manage_webhooks")
        return may_act or super().has_view_permission(request, obj)

    def _require(self, request: HttpRequest) -> None:
        if not request.user.has_perm("assessments.manage_webhooks"):
            raise PermissionDenied

    def _endpoint(self, request: HttpRequest, pk: int) -> WebhookEndpoint:
        self._require(request)
        return get_object_or_404(WebhookEndpoint.objects.select_related("project"), pk=pk)

    @sensitive_variables("secret")
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

    def _back(
        self,
        request: HttpRequest,
        endpoint: WebhookEndpoint,
        says: str,
        level: int = messages.SUCCESS,
    ) -> HttpResponse:
        messages.add_message(request, level, says)
        return HttpResponseRedirect(page_of(endpoint))


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else 0


def _initial(endpoint: WebhookEndpoint) -> dict[str, datetime]:
    """Propose to begin with the oldest event that waits for a replay, else a day ago."""
    stored = WebhookEvent.objects.stored().filter(endpoint=endpoint).order_by("created_at")
    oldest = stored.values_list("created_at", flat=True).first()
    return {"since": oldest or timezone.now() - timedelta(days=1)}


def event_row(event: WebhookEvent, endpoint: WebhookEndpoint) -> dict[str, Any]:
    """Return what the list of events shows of one."""
    zone = endpoint.project.time_zone
    return {
        "id": event.event_id,
        "kind": event.kind,
        "about": event.assessment or (event.link and (event.link.link_id or event.link)) or "",
        "at": moment_in_words(event.created_at, zone),
        "outcome": _outcome(event, endpoint),
        "may_replay": event.kind != "webhook.test" and endpoint.is_on,
    }


def _outcome(event: WebhookEvent, endpoint: WebhookEndpoint) -> str:
    zone = endpoint.project.time_zone
    if event.delivered_at:
        return f"delivered {moment_in_words(event.delivered_at, zone)} ({event.last_status})"
    error = ERRORS.get(event.last_error, "")
    status = f" ({event.last_status})" if event.last_status else ""
    failed = f"{error}{status}"
    if event.next_try_at:
        if not event.tries:
            return "waits to be sent"
        next_try = moment_in_words(event.next_try_at, zone)
        return f"try {event.tries} failed: {failed}; next try {next_try}" if error else "being sent"
    if event.tries:
        return f"not delivered: {failed}"
    return "stored while webhooks were off"
