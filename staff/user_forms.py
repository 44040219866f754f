"""Forms for staff accounts: personal details, roles and password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import AdminPasswordChangeForm, UserCreationForm, UsernameField
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet

from partners.edit_forms import EditForm
from staff import roles

if TYPE_CHECKING:
    RoleChoice = forms.ModelMultipleChoiceField[Group]
    UserForm = forms.ModelForm[User]
    NewUserForm = UserCreationForm[User]
    NewPasswordForm = AdminPasswordChangeForm[User]
else:  # Django's own classes take no type argument
    RoleChoice = forms.ModelMultipleChoiceField
    UserForm = forms.ModelForm
    NewUserForm = UserCreationForm
    NewPasswordForm = AdminPasswordChangeForm

PERSON = ("first_name", "last_name", "email")


def role_groups() -> QuerySet[Group]:
    return Group.objects.filter(name__in=roles.ROLES).order_by("pk")


def with_role(users: QuerySet[User], role: str) -> QuerySet[User]:
    """Return the accounts that have a role. A function, because the queryset is Django's."""
    return users.filter(groups__name=role)


class RolesField(RoleChoice):
    """The four roles as checkboxes, each with its purpose."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Group) -> str:
        return f"{obj.name}: {roles.DESCRIPTIONS[obj.name]}"


class RolesForm(UserForm):
    """Add and remove the four roles. Other groups stay as they are."""

    def clean_groups(self) -> list[Group]:
        kept = self.instance.groups.exclude(name__in=roles.ROLES) if self.instance.pk else []
        return [*self.cleaned_data["groups"], *kept]


class AddForm(RolesForm, NewUserForm):
    class Meta:
        model = User
        fields = ("username", *PERSON, "groups")
        field_classes = {"username": UsernameField}


class ChangeForm(RolesForm, EditForm):
    class Meta:
        model = User
        fields = ("username", *PERSON, "is_active", "groups")
        field_classes = {"username": UsernameField}


class PasswordForm(NewPasswordForm):
    """A new password, typed twice. Removes Django's option of an unusable password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        for field in self.fields.values():
            field.required = True
