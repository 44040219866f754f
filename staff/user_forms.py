"""Forms for staff accounts: personal details and roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet

from partners.edit_forms import EditForm
from staff import roles

if TYPE_CHECKING:
    RoleChoice = forms.ModelMultipleChoiceField[Group]
    UserForm = forms.ModelForm[User]
else:  # Django's own classes take no type argument
    RoleChoice = forms.ModelMultipleChoiceField
    UserForm = forms.ModelForm

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


class AddForm(RolesForm):
    """A new account. Its owner chooses the password."""

    class Meta:
        model = User
        fields = ("username", *PERSON, "groups")
        field_classes = {"username": UsernameField}

    def clean_username(self) -> str:
        """Refuse a name that differs from another one in case only, as Django's form does."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("A user with that username already exists.")
        return name


class ChangeForm(RolesForm, EditForm):
    class Meta:
        model = User
        fields = ("username", *PERSON, "is_active", "groups")
        field_classes = {"username": UsernameField}
