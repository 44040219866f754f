"""Staff accounts and roles, in place of Django's pages for users and groups.

Accounts get roles, never single permissions. Superusers are made at the command line only, and
accounts are never deleted: the audit trail refers to them.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.actions import Action
from partners.admin_base import ListedFilters, ReadOnly, links_to
from partners.edit_forms import EditAdmin, EditForm
from partners.models import AuditEvent
from partners.models.audit import staff_actor
from staff import passwords, roles, sessions

# A device's page would show its secret. Owners set devices up; a command resets them.
admin.site.unregister([User, Group, StaticDevice, TOTPDevice])

PERSON = ("first_name", "last_name", "email")


class AddForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none
    """A new account. Its owner chooses the password."""

    class Meta:
        model = User
        fields = ("username", *PERSON, "groups")
        field_classes: ClassVar = {"username": UsernameField}

    def clean_username(self) -> str:
        """Refuse a name that differs from another one in case only, as Django's form does."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("A user with that username already exists.")
        return name


class ChangeForm(EditForm):
    class Meta:
        model = User
        fields = ("username", *PERSON, "is_active", "groups")
        field_classes: ClassVar = {"username": UsernameField}


class PasswordLink(Action):
    """Makes a link with which a colleague chooses a password."""

    title, button = "Make a link to choose a password", "Make the link"
    permission = "auth.change_user"
    template_name = "admin/auth/user/make_password_link.html"
    hours = passwords.HOURS

    def why_not(self) -> str:
        if self.row.is_active and self.row.is_staff:
            return ""
        return f"{self.row} can't sign in, so there is no link for this account."

    def run(self) -> HttpResponse | None:
        if self.why_not():
            return None
        return passwords.link_page(self.model_admin, self.request, self.row)


@admin.register(User)
class StaffAdmin(ListedFilters, EditAdmin, UserAdmin):  # type: ignore[type-arg]  # likewise
    """Administrators change every account except superusers' and their own roles."""

    add_form_template = "admin/auth/user/add_form.html"
    add_form = AddForm
    form = ChangeForm
    list_display = ("username", "first_name", "last_name", "roles", "is_active", "last_login")
    list_filter = ("groups", "is_active")
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
        rights = ("is_active", "groups" if may_give else "roles")
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
        return (*self.readonly_fields, "is_active", "roles")

    def formfield_for_manytomany(
        self, db_field: models.ManyToManyField[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelMultipleChoiceField[Any] | None:
        # Not Django's widget with a link to add a group.
        return cast(
            "forms.ModelMultipleChoiceField[Any]",
            db_field.formfield(widget=forms.CheckboxSelectMultiple, label="Roles", help_text=""),
        )

    @admin.display(description="roles")
    def roles(self, user: User) -> str:
        if user.is_superuser:
            return "Superuser: all permissions"
        return ", ".join(group.name for group in user.groups.all()) or "none"

    @admin.display(description="password")
    def password_page(self, user: User) -> SafeString | str:
        state = "Chosen." if user.has_usable_password() else "Not chosen yet."
        if not (user.is_active and user.is_staff):
            return state
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
        # The names of changed fields, never their values.
        changed = form.changed_data if change else []
        what = [name for name in changed if name not in ("is_active", "groups")]
        if "is_active" in changed:
            what.append("reactivated" if user.is_active else "deactivated")
        what += [f"gave {role}" for role in sorted(after - before)]
        what += [f"took {role}" for role in sorted(before - after)]
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
        return passwords.link_page(self, request, obj)

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """Make a link with which a colleague chooses a password, in place of Django's form."""
        user = self.get_object(request, id)
        if user is None or not self.has_change_permission(request, user):
            raise PermissionDenied
        if user == request.user:
            return redirect("admin:password_change")
        page = PasswordLink.as_view(model_admin=self)(request, pk=user.pk)
        return cast("HttpResponse", page)


@admin.register(Group)
class RoleAdmin(ReadOnly, GroupAdmin):
    """Shows the permissions and members of each role. Only a release changes roles."""

    list_display = ("name", "purpose")
    ordering = ("pk",)
    filter_horizontal = ()
    fields = ("name", "purpose", "may", "who")

    @admin.display(description="purpose")
    def purpose(self, group: Group) -> str:
        return roles.DESCRIPTIONS.get(group.name, "created outside this service")

    @admin.display(description="may")
    def may(self, group: Group) -> SafeString:
        names = group.permissions.values_list("name")
        return format_html('<ul class="may">{}</ul>', format_html_join("", "<li>{}</li>", names))

    @admin.display(description="who has it")
    def who(self, group: Group) -> SafeString | str:
        return links_to(group.user_set.order_by("username")) or "nobody"
