"""The pages of staff accounts, and what their form sends."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User
from django.urls import reverse

from tests.factories import staff_as

PASSWORD = "seven green kettles"


def page(name: str, *args: Any) -> str:
    return reverse(f"admin:auth_{name}", args=args)


def role(name: str) -> Group:
    staff_as(name)
    return Group.objects.get(name=name)


def form_of(user: User, **changes: Any) -> dict[str, Any]:
    """Return what the page of an account sends when nothing but these is changed."""
    return {
        "username": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "is_active": "on",
        "groups": [group.pk for group in user.groups.all()],
        **changes,
    }
