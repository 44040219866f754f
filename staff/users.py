"""Staff accounts and roles, in place of Django's pages for users and groups.

Accounts get roles, never single permissions. Superusers are made at the command line only, and
accounts are never deleted: the audit trail refers to them.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.actor_context import staff_actor
from partners.confirmation import confirmation
from partners.edit_forms import EditAdmin
from partners.list_filters import ListedFilters
from partners.models import AuditEvent
from staff import password_links, roles, sessions
from staff.user_forms import (
    PERSON,
    AddForm,
    ChangeForm,
    RolesField,
    role_groups,
    with_role,
)

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
    Accounts = UserAdmin[User]
else:  # Django's own classes take no type argument
    Base = admin.ModelAdmin
    Accounts = UserAdmin

# A device's page would show its secret. Owners set devices up; a command resets them.
admin.site.unregister([User, Group, StaticDevice, TOTPDevice])


class Renamed(Base):
    """Show a model of Django under another name: `called` holds singular and plural."""

    called: ClassVar[tuple[str, str]]

    def __init__(self, model: Any, admin_site: admin.AdminSite) -> None:
        super().__init__(model, admin_site)
        # A copy: changing the model itself would need a migration in Django's app.
        self.opts = copy(model._meta)
        self.opts.verbose_name, self.opts.verbose_name_plural = self.called

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        shown = super().get_changelist_instance(request)
        shown.opts = self.opts
        shown.title = capfirst(self.called[1])
        return shown


class RoleFilter(admin.SimpleListFilter):
    title = "role"
    parameter_name = "role"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(role, role) for role in roles.ROLES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        return with_role(queryset, str(self.value())) if self.value() else queryset


@admin.register(User)
class StaffAdmin(ListedFilters, EditAdmin, Renamed, Accounts):
    """Administrators change every account except superusers' and their own roles."""

    called = ("staff account", "staff accounts")
    add_form_template = "admin/auth/user/add_form.html"
    add_form = AddForm
    form = ChangeForm
    list_display = ("username", "person", "roles", "state", "last_login")
    list_filter = (RoleFilter, "is_active")
    search_help_text = "User name, name or e-mail address"
    filter_horizontal = ()
    readonly_fields = ("password_page", "last_login", "date_joined")
    add_fieldsets = (
        (None, {"fields": ("username",)}),
        ("Person", {"fields": PERSON}),
        ("Roles", {"fields": ("groups",)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        may_give = self._may_give_roles(request, obj)
        rights = ("is_active", "groups") if may_give else ("state", "roles")
        # Your own password is on the page of your account.
        password = ("password_page",) if may_give else ()
        return (
            (None, {"fields": ("username", *password)}),
            ("Person", {"fields": PERSON}),
            ("Roles", {"fields": rights}),
            ("History", {"fields": ("last_login", "date_joined")}),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None or self._may_give_roles(request, obj):
            return self.readonly_fields
        return (*self.readonly_fields, "state", "roles")

    def formfield_for_dbfield(
        self, db_field: models.Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        if db_field.name == "groups":
            return RolesField(role_groups(), label="Roles", required=False)
        if db_field.name == "is_active":
            kwargs["help_text"] = (
                "Clear this to deactivate the account and sign it out at once. Accounts are not "
                "deleted, because the audit trail refers to them."
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @admin.display(description="name")
    def person(self, user: User) -> str:
        return user.get_full_name()

    @admin.display(description="roles")
    def roles(self, user: User) -> str:
        if user.is_superuser:
            return "Superuser: all permissions"
        return ", ".join(group.name for group in user.groups.all()) or "none"

    @admin.display(description="state", ordering="is_active")
    def state(self, user: User) -> SafeString:
        state, words = ("live", "active") if user.is_active else ("closed", "deactivated")
        return format_html('<span class="state {}">{}</span>', state, words)

    @admin.display(description="password")
    def password_page(self, user: User) -> SafeString:
        state = "Chosen." if user.has_usable_password() else "Not chosen yet."
        if not password_links.may_have_link(user):
            return format_html("{}", state)
        address = reverse("admin:auth_user_password_change", args=[user.pk])
        link = '{} <a class="button quiet" href="{}">Make a link to choose a password</a>'
        return format_html(link, state, address)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            # Only staff have accounts here; students and partners have none.
            obj.is_staff = True
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data:
            # On reactivation too, so that no session from before comes back to life.
            sessions.end_all(obj)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the roles, and audit what changed in the account."""
        user: User = form.instance
        before = {group.name for group in user.groups.all()}
        super().save_related(request, form, formsets, change)
        after = {group.name for group in user.groups.all()}
        what = [
            *(_change(name, user) for name in form.changed_data if change and name != "groups"),
            *(f"gave {role}" for role in sorted(after - before)),
            *(f"took {role}" for role in sorted(before - after)),
        ]
        if what or not change:
            action = "staff.changed" if change else "staff.added"
            AuditEvent.record(
                action,
                user,
                reason=", ".join(what),
                changes=form.changes if change else None,
                details={"roles": [sorted(before), sorted(after)]} if before != after else None,
                **staff_actor(request),
            )

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        is_above = isinstance(obj, User) and obj.is_superuser and not request.user.is_superuser
        return not is_above and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def _may_give_roles(self, request: HttpRequest, user: User) -> bool:
        """Return whether the user may change this account's roles: never their own."""
        return user != request.user and self.has_change_permission(request, user)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the link with which the new colleague chooses a password."""
        return password_links.link_page(self, request, obj, title="Hand over this link")

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """Make a link with which a colleague chooses a password, in place of Django's form."""
        user = self.get_object(request, unquote(id))
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        if user is None:
            raise Http404
        if user == request.user:
            return HttpResponseRedirect(reverse("admin:password_change"))
        if not password_links.may_have_link(user):
            messages.error(request, f"{user} can't sign in, so there is no link for this account.")
            return HttpResponseRedirect(reverse("admin:auth_user_change", args=[user.pk]))
        if request.method == "POST":
            return password_links.link_page(self, request, user, title="Hand over this link")
        return confirmation(
            self,
            request,
            title="Make a link to choose a password",
            says=[
                f"{user} gets a link that works once, for {password_links.hours()} hours. Their "
                "present password and sessions end when they use it. Their second factor stays as "
                "it is.",
                "The next page shows the link once, so prepare a safe way to hand it over. If "
                "somebody asked you for it, make sure that it was your colleague.",
            ],
            form=forms.Form(),
            button="Make the link",
            target=user,
        )


@admin.register(Group)
class RoleAdmin(ListedFilters, Renamed, GroupAdmin):
    """Shows the permissions and members of each role. Only a release changes roles."""

    called = ("role", "roles")
    list_display = ("name", "purpose", "accounts")
    search_fields = ()
    ordering = ("pk",)
    filter_horizontal = ()
    fields = ("name", "may", "who")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        return Group.objects.annotate(accounts=Count("user"))

    @admin.display(description="purpose")
    def purpose(self, group: Group) -> str:
        return roles.DESCRIPTIONS.get(group.name, "created outside this service")

    @admin.display(description="accounts", ordering="accounts")
    def accounts(self, group: Group) -> int:
        return group.accounts  # type: ignore[attr-defined,no-any-return]  # annotated

    @admin.display(description="may")
    def may(self, group: Group) -> SafeString:
        held = group.permissions.values_list("content_type__app_label", "codename")
        words = roles.in_words([f"{app}.{codename}" for app, codename in held])
        items = format_html_join("", "<li>{}</li>", ((line,) for line in words))
        return format_html('<ul class="may">{}</ul>', items)

    @admin.display(description="who has it")
    def who(self, group: Group) -> SafeString | str:
        users = group.user_set.order_by("username")
        links = ((reverse("admin:auth_user_change", args=[user.pk]), user) for user in users)
        return format_html_join(", ", '<a href="{}">{}</a>', links) or "nobody"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


def _change(name: str, user: User) -> str:
    """Name a changed field, never its value."""
    if name == "is_active":
        return "reactivated" if user.is_active else "deactivated"
    return name
