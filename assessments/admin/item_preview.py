"""Preview of items as students see them, with details for staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation

from assessments import languages
from assessments.admin.item_words import scale_name
from assessments.models import Item
from assessments.student.question import question


def require_view_item(request: HttpRequest) -> None:
    """Raise PermissionDenied if the user may not view items, which show the correct answer."""
    if not request.user.has_perm("assessments.view_item"):
        raise PermissionDenied


def as_students_see(request: HttpRequest, title: str, items: Sequence[Item]) -> HttpResponse:
    """Render items as on the student's pages, with details for staff.

    The address chooses one of the bank's languages.
    """
    bank = items[0].bank
    language = languages.best(bank.languages, languages.asked_for(request.GET))
    context: dict[str, Any] = {
        "page": "preview",
        "language": language,
        "languages": languages.choice(bank.languages, request.path),
        "title": title,
        "back": reverse("admin:assessments_itembank_change", args=[bank.pk]),
        "bank": bank,
        "items": [
            {
                "code": item.code,
                "section": {"code": item.section},
                "question": shown_in(item, language, f"answer-{item.order}"),
                "facts": facts(item),
            }
            for item in items
        ],
    }
    with translation.override(language):
        return render(request, "admin/assessments/item/preview.html", context)


def shown_in(item: Item, language: str, control: str) -> dict[str, Any]:
    """Return the template context of an item in one language, with the correct answer ticked."""
    return question(
        item.content,
        item.options,
        language,
        position=item.order,
        control=control,
        chosen=item.key,
    )


def facts(item: Item) -> list[str]:
    """Return the details for staff below an item."""
    if item.is_aptitude:
        numbers = [f"key {item.key}", f"a {item.a}", f"b {item.b}", f"c {item.c}"]
        return [*numbers, *making(item)]
    known = [scale_name(name) for name in (item.scale, *item.content.get("fields", ()))]
    if item.section == Item.Section.PREFERENCES:
        known.append(f"keyed {item.keyed:+}")
    if "expected" in item.content:
        known.append(f"expects answer {item.content['expected']}")
    if item.is_spare:
        known.append("spare, not used")
    return known


def making(item: Item) -> list[str]:
    """Return the template and parameters of a generated item, or [] for a written one."""
    content = item.content
    named = [str(content["template"])] if "template" in content else []
    radicals = [f"{name} {count}" for name, count in sorted(content.get("radicals", {}).items())]
    time = [f"{content['seconds']} s"] if "seconds" in content else []
    return [*named, *radicals, *time]
