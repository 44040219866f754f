"""Two browsers, and every form of the staff's site that shows again what was saved with it.

The forms are found from the site's own addresses. A form that is not among them saves nothing that
it showed: it asks for a reason, or makes something.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from tests.factories import UserFactory
from tests.staff.pages import address, staff_pages
from tests.staff.rows import make_rows
from tests.support.admin_forms import CSRF, AdminForm, Control, forms_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
VISIBLE = {"text", "number", "url", "email", "checkbox", "select", "textarea"}
EDITABLE = {
    "partners_partner_change",
    "partners_project_change",
    "assessments_course_change",
    "assessments_webhookendpoint_edit",
    "auth_user_change",
}


class _Undone(Exception):
    """Ends a transaction whose changes are not kept."""


@contextmanager
def undone() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
            raise _Undone
    except _Undone:
        pass


@pytest.fixture
def browsers() -> tuple[Client, Client]:
    return tuple(signed_in() for _ in range(2))  # type: ignore[return-value]  # two


def signed_in() -> Client:
    client = Client()
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    return client


def shown(client: Client, where: str) -> AdminForm | None:
    """Return the form of a page that has one, and no other."""
    response = client.get(where)
    found = forms_of(response) if response.status_code == 200 else []
    return found[0] if len(found) == 1 else None


def typed(control: Control, suffix: str = "x") -> Any:
    """Return another value for a control, or None if it offers no other."""
    if control.kind == "checkbox":
        if len(control.offers) == 1:
            return [] if control.sends else control.offers
        return [each for each in control.offers if each not in control.sends][:1]
    if control.kind == "select":
        others = [each for each in control.offers if each not in ("", *control.sends)]
        return others[-len(suffix) % len(others)] if others else None
    [value] = control.sends
    if control.kind == "number":
        number = int(value or 0)
        return str(number - len(suffix) if number > 2 else number + len(suffix))
    if control.kind == "email":
        return f"{suffix}@example.com"
    return f"{value or 'https://college.example/'}{suffix}"


def visible(form: AdminForm) -> list[Control]:
    return [each for each in form.controls.values() if each.kind in VISIBLE and each.name != CSRF]


def press(client: Client, where: str, form: AdminForm, changes: dict[str, Any]) -> Any:
    """Send a form that was opened before, as if its Save had been pressed."""
    [button] = [name for name in ("_save", "") if name in form.buttons][:1] or form.buttons[:1]
    return client.post(where, form.sent({**changes, **({button: "1"} if button else {})}))


def sends(form: AdminForm | None, name: str) -> Any:
    assert form is not None
    return form.controls[name].sends if name in form.controls else []


def same(sent: list[str], value: Any) -> bool:
    return sent == (value if isinstance(value, list) else [value])


def shows_again(client: Client, where: str, form: AdminForm, control: Control) -> bool:
    """Return whether a value that is saved alone is what the page shows afterwards."""
    value = typed(control)
    if value is None:
        return False
    with undone():
        response = press(client, where, form, {control.name: value})
        after = shown(client, where) if response.status_code == 302 else None
        return after is not None and same(sends(after, control.name), value)


@pytest.fixture
def edits(browsers: tuple[Client, Client]) -> dict[str, tuple[str, list[Control]]]:
    """Give address and changeable controls of each form that shows again what was saved."""
    rows, found = make_rows(), {}
    for name, route in staff_pages():
        if "<" not in route:
            continue
        where = address(name, route, rows)
        form = shown(browsers[0], where)
        if form:
            controls = [
                each for each in visible(form) if shows_again(browsers[0], where, form, each)
            ]
            if controls:
                found[name] = (where, controls)
    return found


def test_no_save_loses_anothers_value_and_none_overwrites_it_unasked(
    browsers: tuple[Client, Client], edits: dict[str, tuple[str, list[Control]]]
) -> None:
    first, second = browsers
    faults = []

    for page, (where, controls) in edits.items():
        for theirs, mine in zip(controls, [*controls[1:], controls[0]], strict=True):
            if theirs is mine:
                continue
            with undone():
                opened = shown(second, where)
                assert opened
                values = {theirs.name: typed(theirs), mine.name: typed(mine, "xx")}
                press(first, where, opened, {theirs.name: values[theirs.name]})
                press(second, where, opened, {mine.name: values[mine.name]})
                after = shown(first, where)
                faults += [
                    f"{page}: {name} is lost, of {theirs.name} and {mine.name}"
                    for name, value in values.items()
                    if not same(sends(after, name), value)
                ]
        for control in controls:
            theirs_value, my_value = typed(control, "x"), typed(control, "xx")
            if theirs_value == my_value:
                continue
            with undone():
                opened = shown(second, where)
                assert opened
                press(first, where, opened, {control.name: theirs_value})
                refused = press(second, where, opened, {control.name: my_value})
                if not same(sends(shown(first, where), control.name), theirs_value):
                    faults.append(f"{page}: {control.name} was overwritten")
                    continue
                if "while you were editing" not in html.unescape(refused.content.decode()):
                    faults.append(f"{page}: {control.name} says nothing of a conflict")
                    continue
                [again] = forms_of(refused)
                press(second, where, again, {})
                if not same(sends(shown(first, where), control.name), my_value):
                    faults.append(f"{page}: {control.name} has no way on")

    assert not faults, "\n".join(faults)
    assert set(edits) == EDITABLE
    assert sum(len(controls) for _, controls in edits.values()) > 38
