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
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
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
        acts = ("edit", "secret", "test", "replay", "switch_off", "switch_on")
        parts = {act: f"<int:pk>/{act.replace('_', '-')}/" for act in acts}
        return [
            path(
                part,
                self.admin_site.admin_view(getattr(self, f"{act}_view")),
                name=f"assessments_webhookendpoint_{act}",
            )
            for act, part in {"set_up": "set-up/", **parts}.items()
        ] + super().get_urls()

    @admin.display(description="project", ordering="project__name")
    def project_name(self, endpoint: WebhookEndpoint) -> str:
        return endpoint.project.name_in_lists

    @admin.display(description="project")
    def project_page(self, endpoint: WebhookEndpoint) -> SafeString:
        return links_to([endpoint.project])

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
        says = "The change counts from the next call. The secret stays."
        return self._ask(request, endpoint, form, "Change webhooks", says, button="Save")

    def secret_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for the overlap, then replace the secret and show the new one."""
        endpoint = self._endpoint(request, pk)
        form = SecretForm(_posted(request), initial={"seen": endpoint.secret_version})
        if form.is_valid():
            try:
                if endpoint.rotate_secret(**form.cleaned_data, **staff_actor(request)):
                    return self._secret(request, endpoint)
                says = "A newer secret was made meanwhile, so this did nothing."
                return self._back(request, endpoint, says, messages.WARNING)
            except NoKey as refused:
                form.add_error(None, str(refused))
        says = (
            "The next page shows a new secret once. Prepare a safe way to hand it over. A third "
            "secret ends the first at once: wait until the partner uses the second."
        )
        return self._ask(request, endpoint, form, "New secret", says, button="Make a new secret")

    def test_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Queue a test event."""
        endpoint, form = self._endpoint(request, pk), forms.Form(_posted(request))
        if form.is_valid():
            event = WebhookEvent.objects.send_test(endpoint, **staff_actor(request))
            says = f"Test event {event} is on its way. Reload this page to see what became of it."
            return self._back(request, endpoint, says)
        says = (
            "The receiver gets one event of the type webhook.test, signed like all others. It is "
            "tried once, also while webhooks are switched off."
        )
        return self._ask(request, endpoint, form, "Send a test event", says)

    def replay_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send stored events again: one that is named, or all since a time."""
        endpoint = self._endpoint(request, pk)
        events = WebhookEvent.objects.all()
        if not endpoint.is_on:
            says = "Switch webhooks on first; then send the stored events."
            return self._back(request, endpoint, says, messages.WARNING)
        with timezone.override(ZoneInfo(endpoint.project.time_zone)):
            if one := request.GET.get("event", ""):
                events = events.filter(event_id=one, endpoint=endpoint)
                get_object_or_404(events)
                form: forms.Form = forms.Form(_posted(request))
                chosen: dict[str, Any] = {"since": endpoint.created_at, "also_delivered": True}
                says = f"Event {one} is sent again, with the same id."
            else:
                form, chosen = ReplayForm(_posted(request), initial=_initial(endpoint)), {}
                says = (
                    "Events that were stored since a time are sent again, with the same ids. We "
                    f"keep them for 30 days. Times are in {endpoint.project.time_zone}."
                )
            if form.is_valid():
                chosen = chosen or form.cleaned_data
                count = events.replay(endpoint, **chosen, **staff_actor(request))
                return self._back(request, endpoint, f"Events sent again: {count:,}.")
            return self._ask(request, endpoint, form, "Send events again", says, "Send again")

    def switch_off_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason, then send nothing any more."""
        endpoint, form = self._endpoint(request, pk), ReasonForm(_posted(request))
        if form.is_valid():
            off = endpoint.switch_off(reason=form.cleaned_data["reason"], **staff_actor(request))
            return self._back(request, endpoint, "Switched off." if off else "It was off already.")
        says = "Nothing is sent from now on. Events are stored, and can be sent again later."
        return self._ask(request, endpoint, form, "Switch webhooks off", says, "Switch off")

    def switch_on_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send what ends from now on."""
        endpoint, form = self._endpoint(request, pk), forms.Form(_posted(request))
        if form.is_valid():
            on = endpoint.switch_on(**staff_actor(request))
            return self._back(request, endpoint, "Switched on." if on else "It was on already.")
        says = (
            "Events are sent from now on. What was stored meanwhile is sent only if you press "
            "“Send events again” afterwards."
        )
        return self._ask(request, endpoint, form, "Switch webhooks on", says, "Switch on")

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

    def _ask(
        self,
        request: HttpRequest,
        endpoint: WebhookEndpoint,
        form: forms.BaseForm,
        title: str,
        says: str,
        button: str = "",
    ) -> HttpResponse:
        """Show the form of an act, under a sentence on what it does."""
        return confirmation(
            self,
            request,
            title=title,
            says=[says],
            form=form,
            button=button or title,
            target=endpoint,
        )

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

    def _back(
        self,
        request: HttpRequest,
        endpoint: WebhookEndpoint,
        says: str,
        level: int = messages.SUCCESS,
    ) -> HttpResponse:
        messages.add_message(request, level, says)
        return HttpResponseRedirect(page_of(endpoint))


def _posted(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


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
