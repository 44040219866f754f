"""Staff accounts and roles, in place of Django's pages for users and groups.

Accounts get roles, never single permissions. Superusers are made at the command line only, and
accounts are never deleted: the audit trail refers to them.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.back_office.actions import Action
from partners.back_office.admin_base import EditableAdmin, ReadOnlyAdmin
from partners.back_office.edit_forms import EditForm
from partners.back_office.pages import page_of
from partners.models import AuditEvent, staff_actor
from staff import passwords, sessions

# A device's page would show its secret. Owners set devices up; a command resets them.
admin.site.unregister([User, Group, StaticDevice, TOTPDevice])

PERSON = ("first_name", "last_name", "email")


class AccountForm(EditForm):
    class Meta:
        field_classes: ClassVar = {"username": UsernameField}
        labels: ClassVar = {"groups": "Roles"}
        help_texts: ClassVar = {"groups": ""}
        widgets: ClassVar = {"groups": forms.CheckboxSelectMultiple}

    def clean_username(self) -> str:
        """Refuse a name that differs from another in case only, as Django's form does."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("A user with that username already exists.")
        return name


class PasswordLink(Action):
    name, title = "password-link", "Make a link to choose a password"
    button = "Make the link"
    has_link = False  # the password's line has one
    permission = "auth.change_user"
    form_class = forms.Form

    def get_row(self, pk: int) -> Any:
        user = super().get_row(pk)
        if not self.model_admin.has_change_permission(self.request, user):
            raise PermissionDenied
        return user

    def refusal(self) -> str:
        if self.row == self.request.user:
            return "You change your own password on the page “Your account”."
        if not (self.row.is_active and self.row.is_staff):
            return f"{self.row} can't sign in, so there is no link for this account."
        return ""

    def explain(self) -> Sequence[str]:
        return (
            f"{self.row} gets a link that works once, for {passwords.HOURS} hours. Their present "
            "password and sessions end when they use it. Their second factor stays as it is.",
            "The next page shows the link once, so prepare a safe way to hand it over. If you were "
            "asked for it, check that your colleague asked.",
        )

    def run(self) -> HttpResponse:
        return passwords.link_page(self.request, self.row)


@admin.register(User)
class StaffAdmin(EditableAdmin):
    """Administrators change every account except superusers' and their own roles."""

    add_form_template = "admin/auth/user/add_form.html"
    form = AccountForm
    row_actions = (PasswordLink,)
    list_display = ("username", "first_name", "last_name", "roles", "is_active", "last_login")
    list_filter = ("groups", "is_active")
    search_fields = ("username", *PERSON)
    search_help_text = "User name, name or e-mail address"
    ordering = ("username",)
    readonly_fields = ("password_page", "last_login", "date_joined")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None:
            parts = {"": ("username",), "Person": PERSON, "Roles": ("groups",)}
        else:
            may_give = self._may_give_roles(request, obj)
            parts = {
                # Your own password is on the page of your account.
                "": ("username", "password_page") if may_give else ("username",),
                "Person": PERSON,
                "Roles": ("is_active", "groups" if may_give else "roles"),
                "History": ("last_login", "date_joined"),
            }
        return [(title, {"fields": fields}) for title, fields in parts.items()]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None or self._may_give_roles(request, obj):
            return self.readonly_fields
        return (*self.readonly_fields, "is_active", "roles")

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
        link = '{} <a class="button quiet" href="{}">Make a link to choose a password</a>'
        return format_html(link, state, page_of(user, PasswordLink.name))

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
        groups = form.instance.groups.order_by("name").values_list("name", flat=True)
        before = list(groups.all())
        super().save_related(request, form, formsets, change)
        after = list(groups.all())
        changes = form.changes if change else {}
        changed = [*changes, *(["roles"] if before != after else [])]
        if changed or not change:
            AuditEvent.record(
                "staff.changed" if change else "staff.added",
                form.instance,
                reason=", ".join(changed),
                changes=changes,
                details={"roles": [before, after]} if before != after else None,
                by=staff_actor(request),
            )

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        is_above = isinstance(obj, User) and obj.is_superuser and not request.user.is_superuser
        return not is_above and super().has_change_permission(request, obj)

    def _may_give_roles(self, request: HttpRequest, user: User) -> bool:
        return user != request.user and self.has_change_permission(request, user)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        return passwords.link_page(request, obj)


@admin.register(Group)
class RoleAdmin(ReadOnlyAdmin):
    """Shows the permissions and members of each role. Only a release changes roles."""

    list_display = ("name", "who")
    ordering = ("pk",)
    fields = ("name", "may", "who")

    def may(self, group: Group) -> SafeString:
        names = group.permissions.values_list("name")
        return format_html('<ul class="may">{}</ul>', format_html_join("", "<li>{}</li>", names))

    @admin.display(description="who has it")
    def who(self, group: Group) -> SafeString | str:
        users = group.user_set.order_by("username")
        links = ((page_of(user), user) for user in users)
        return format_html_join(", ", '<a href="{}">{}</a>', links) or "nobody"
