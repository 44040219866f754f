"""What a name may hold: no character that hides, breaks or turns the line it stands in."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from partners.models import AuditEvent, Partner, Project
from partners.plain_text import fault_of, is_plain_text, validate_plain_text
from tests.factories import PartnerFactory, ProjectFactory
from tests.partners.test_admin_partners import PARTNERS, PROJECT, PROJECTS, formset

HOSTILE = ["\u202e", "\u202a", "\u2066", "\u2069", "\u200e", "\u061c", "\x1b", "\x7f", "\x85"]
HOSTILE += ["\u2028", "\u2029", "\t", "\n", "\0", "\ud800"]
# Invisible, tags, private use, unassigned, no character.
HOSTILE += ["\u200b", "\u00ad", "\u2060", "\ufeff", "\U000e0001", "\U000e0041"]
HOSTILE += ["\ue000", "\U0010fffd", "\u0378", "\uffff"]
INVISIBLE = [
    "\u200d",
    "\u200c\u200d",
    "\u0301",
    "\u093f\u094d",
    "\ufe0f",
    " \u200d ",
    "\u3164",
    "\u2800",
]


@pytest.mark.parametrize("character", HOSTILE, ids=lambda character: f"U+{ord(character):04X}")
def test_a_hostile_character_is_refused_anywhere(character: str) -> None:
    for text in (f"{character}College", f"Col{character}lege", f"College{character}"):
        assert not is_plain_text(text)
        with pytest.raises(ValidationError, match="can't be shown"):
            validate_plain_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "St. Xavier’s",
        "बी.ए. हिन्दी",
        "क्\u200dष",
        "தமிழ் க்\u200cஷ",
        "അവന്\u200d",
        "نور",
        "می\u200cخواهم",
        "Jose\u0301",
        "O\u00a0Neil",
        "數學 (B.A.)",
        "🎓",
        "👩\u200d🎓",
        "❤\ufe0f",
        "👍🏽",
        "7",
        "?",
    ],
    ids=ascii,
)
def test_names_of_all_scripts_are_plain(text: str) -> None:
    assert is_plain_text(text)
    assert fault_of(text) == ""
    validate_plain_text(text)


@pytest.mark.parametrize("text", INVISIBLE, ids=ascii)
def test_a_text_without_a_visible_character_is_refused(text: str) -> None:
    assert not is_plain_text(text)
    with pytest.raises(ValidationError, match="The text contains no visible character"):
        validate_plain_text(text)
    assert is_plain_text(f"क{text}")


@pytest.mark.parametrize("character", ["\u202e", "\x1b"], ids=ascii)
def test_a_partner_and_a_project_take_a_plain_name_only(
    admin_client: Client, character: str
) -> None:
    partner = PartnerFactory.create(name="Acme")
    project = ProjectFactory.create(partner=partner, name="College")
    bad = f"Nor{character}th"
    fields = {**PROJECT, "partner": str(partner.pk)}

    for path, sent in (
        (f"{PARTNERS}add/", {"name": bad, **formset()}),
        (f"{PARTNERS}add/", {"name": "New", **formset({**PROJECT, "name": bad})}),
        (f"{PARTNERS}{partner.pk}/change/", {"name": bad, **formset()}),
        (f"{PROJECTS}add/", {**fields, "name": bad}),
        (f"{PROJECTS}{project.pk}/change/", {**fields, "name": bad}),
    ):
        answer = admin_client.post(path, sent)
        page = answer.content.decode()
        assert answer.status_code == 200
        assert page.count("after “Nor”). Type the text by hand instead of pasting it.") == 1

    assert list(Partner.objects.values_list("name", flat=True)) == ["Acme"]
    assert list(Project.objects.values_list("name", flat=True)) == ["College"]
    assert not AuditEvent.objects.filter(action__endswith="ed", object_type="project").exists()
