"""Item banks: immutable published versions of everything that an attempt asks and is scored by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self, Unpack

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from assessments.layout import Layout
from assessments.measurement import bank as measurement
from assessments.measurement.bank import DONT_KNOW
from assessments.measurement.profile import score
from assessments.measurement.selection import next_item
from assessments.recommendation import CourseRatings, recommend
from partners.models import AuditEvent
from partners.origin import Origin


class Immutable(Exception):
    """A published bank was about to be changed."""


@dataclass(frozen=True)
class Option:
    """One answer that an item offers: `value` is what is stored, `label` a text per language."""

    value: int
    label: Mapping[str, str]


class ItemBankQuerySet(models.QuerySet["ItemBank"]):
    def current(self) -> ItemBank:
        """Return the bank that new attempts are pinned to. Raise DoesNotExist if there is none."""
        return self.exclude(made_current_at=None).order_by("-made_current_at", "-pk")[:1].get()

    def has_current(self) -> bool:
        return self.exclude(made_current_at=None).exists()

    @transaction.atomic
    def publish(
        self,
        data: Mapping[str, Any],
        *,
        shipped: bool = False,
        at: datetime | None = None,
        **origin: Unpack[Origin],
    ) -> tuple[ItemBank, bool]:
        """Store a checked bank file; return the bank and whether it is new.

        `data` is the parsed file, without findings by `itembank.validation.validate`. The same
        content again changes nothing. Raise Immutable if this version stands with other content.
        """
        at = at or timezone.now()
        digest = content_digest(data)
        existing = self.filter(version=data["version"]).first()
        if existing:
            if existing.digest != digest:
                raise Immutable(
                    f"Version {existing.version} is published with other content. A published "
                    "version never changes: give the new content a new version."
                )
            return existing, False
        bank = self.create(
            version=data["version"],
            digest=digest,
            definition={name: value for name, value in data.items() if name != "items"},
            shipped=shipped,
            published_at=at,
        )
        Item.objects.bulk_create([Item.from_file(bank, row) for row in data["items"]])
        AuditEvent.record("bank.published", bank, at=at, **origin)
        return bank, True


class ItemBank(models.Model):
    """A published version: items, parameters, norms, weights and texts. Never changed."""

    version = models.CharField(max_length=64, unique=True)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bank's content.")
    definition = models.JSONField(help_text="Everything but the items.")
    shipped = models.BooleanField(default=False, help_text="Came with the code.")
    published_at = models.DateTimeField()
    made_current_at = models.DateTimeField(
        null=True, blank=True, help_text="The bank with the latest time is the current one."
    )

    objects = ItemBankQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-published_at"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(version=""), name="itembank_version_not_empty"),
        ]

    def __str__(self) -> str:
        return self.version

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store a new bank. Raise Immutable for one that is published."""
        if self.pk:
            raise Immutable("A published item bank never changes.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Raise Immutable: attempts are scored by the bank they started with."""
        raise Immutable("A published item bank is never deleted.")

    @property
    def public_id(self) -> str:
        """The name under which audit events know this bank."""
        return f"bank-{self.version}"[:64]

    @transaction.atomic
    def make_current(self, *, at: datetime | None = None, **origin: Unpack[Origin]) -> None:
        """Pin attempts that start from now on to this bank; running ones keep theirs."""
        at = at or timezone.now()
        ItemBank.objects.filter(pk=self.pk).update(made_current_at=at)
        self.made_current_at = at
        AuditEvent.record("bank.made_current", self, at=at, **origin)

    @cached_property
    def layout(self) -> Layout:
        """Positions, pages and sections of an attempt on this bank."""
        return Layout.of(self.definition["sections"])

    @cached_property
    def items(self) -> dict[int, Item]:
        """The items by primary key, in the bank's order."""
        items = {item.pk: item for item in self.item_set.order_by("order")}
        for item in items.values():
            item.bank = self  # one object, so that options need no further query
        return items

    @staticmethod
    @lru_cache(maxsize=8)
    def cached(pk: int) -> ItemBank:
        """Return the bank with its items from this process's memory: it can't change.

        Only its content is safe to read from here, not `made_current_at`.
        """
        return ItemBank.objects.get(pk=pk)

    @cached_property
    def scoring(self) -> measurement.Bank:
        """What the pure modules need to know of this bank."""
        rows = [item.scoring_row for item in self.items.values()]
        return measurement.Bank.from_json({**self.definition, "items": rows})

    def next_item(self, section: str, taken: Mapping[int, int | None]) -> Item:
        """Return the item to put before a student next.

        `taken` are the section's items so far, by primary key, with the choice, None while it
        waits. The same arguments give the same item.
        """
        unused = [
            item for item in self.items.values() if item.section == section and item.pk not in taken
        ]
        if section != Item.Section.APTITUDE:
            return unused[0]
        answers = {
            self.items[pk].code: choice for pk, choice in taken.items() if choice is not None
        }
        code = next_item(
            [self.scoring.aptitude[item.code] for item in unused],
            self.scoring.responses(answers),
            self.scoring.family_targets(),
        )
        return next(item for item in unused if item.code == code)

    def evaluate(
        self, choices: Mapping[int, int], courses: Sequence[CourseRatings]
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return profile and recommendations, in plain values, of all choices by item key."""
        profile = score(self.scoring, {self.items[pk].code: c for pk, c in choices.items()})
        chosen = recommend(profile, courses, self.scoring.weights)
        return profile.to_json(), [recommendation.to_json() for recommendation in chosen]


class Item(models.Model):
    """One question of a bank."""

    class Section(models.TextChoices):
        INTERESTS = "interests"
        APTITUDE = "aptitude"
        PREFERENCES = "preferences"

    bank = models.ForeignKey(ItemBank, on_delete=models.PROTECT)
    code = models.CharField(max_length=64)
    section = models.CharField(max_length=16, choices=Section.choices)
    scale = models.CharField(max_length=32, help_text="Interest type, item family or preference.")
    order = models.PositiveIntegerField()
    content = models.JSONField(help_text="Texts per language, options, radicals.")
    keyed = models.SmallIntegerField(default=1, help_text="-1: agreement counts the other way.")
    key = models.PositiveSmallIntegerField(null=True, blank=True)
    a = models.FloatField(null=True, blank=True, help_text="Discrimination.")
    b = models.FloatField(null=True, blank=True, help_text="Difficulty.")
    c = models.FloatField(null=True, blank=True, help_text="Guessing.")

    class Meta:
        ordering: ClassVar = ["bank", "order"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["bank", "code"], name="item_code_unique_in_bank"),
            models.UniqueConstraint(fields=["bank", "order"], name="item_order_unique_in_bank"),
            models.CheckConstraint(
                condition=Q(section__in=["interests", "aptitude", "preferences"]),
                name="item_section_known",
            ),
            models.CheckConstraint(condition=Q(keyed__in=[-1, 1]), name="item_keyed_plus_or_minus"),
            models.CheckConstraint(
                condition=Q(
                    section="aptitude",
                    key__isnull=False,
                    a__isnull=False,
                    b__isnull=False,
                    c__isnull=False,
                )
                | (
                    ~Q(section="aptitude")
                    & Q(key__isnull=True, a__isnull=True, b__isnull=True, c__isnull=True)
                ),
                name="item_key_and_parameters_iff_aptitude",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @classmethod
    def from_file(cls, bank: ItemBank, row: Mapping[str, Any]) -> Self:
        """Return an unsaved item of a bank file's row."""
        return cls(
            bank=bank,
            code=row["code"],
            section=row["section"],
            scale=row.get("scale") or row["family"],
            order=row["order"],
            content={name: row[name] for name in CONTENT_FIELDS if name in row},
            keyed=row.get("keyed", 1),
            key=row.get("key"),
            a=row.get("a"),
            b=row.get("b"),
            c=row.get("c"),
        )

    @property
    def scoring_row(self) -> dict[str, Any]:
        """The item as a bank file has it, without its texts."""
        row = {"code": self.code, "section": self.section, "keyed": self.keyed}
        if not self.is_aptitude:
            return {**row, "scale": self.scale}
        return {**row, "family": self.scale, "key": self.key, "a": self.a, "b": self.b, "c": self.c}

    @property
    def is_aptitude(self) -> bool:
        """Whether the item has a key, so that its first stored choice stands."""
        return self.section == Item.Section.APTITUDE

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The answers offered, in the order shown."""
        definition = self.bank.definition
        if not self.is_aptitude:
            return tuple(Option(**option) for option in definition["answers"][self.section])
        options = [Option(**option) for option in self.content["options"]]
        return (*options, Option(DONT_KNOW, definition["dont_know"]))

    def offers(self, choice: int) -> bool:
        """Return whether the choice is among the item's answers."""
        return any(option.value == choice for option in self.options)


CONTENT_FIELDS = ("text", "lines", "options", "radicals")


def content_digest(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a bank file's content, whatever its spacing and order of keys."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
