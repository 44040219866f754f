"""Item banks: immutable published versions of items, texts and scoring rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, ClassVar, Self

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from assessments.models.items import Item
from measurement import bank as measurement
from measurement.ability import AptitudeItem
from measurement.courses import CourseData
from measurement.fields import fields_to_ask
from measurement.layout import Layout, Section
from measurement.profile import score_attempt
from measurement.recommendation import suggest
from measurement.scales import INSTRUCTED
from measurement.selection import next_item
from measurement.successor import differ_in_norms_alone
from measurement.validity import AnsweredItem
from partners.models import Actor, AuditEvent, Refused

# By the code of each item that was asked, the choice, or None while there is none.
Choices = Mapping[str, int | None]


class ItemBankQuerySet(models.QuerySet["ItemBank"]):
    def available(self) -> Self:
        return self.filter(retired_at=None)

    def made_current(self) -> Self:
        """Return banks that are or were current and are not retired, the current one first."""
        once = self.available().exclude(made_current_at=None)
        return once.order_by("-made_current_at", "-pk")

    def current(self) -> ItemBank:
        """Return the bank of new attempts, as `cached`. Raise DoesNotExist if there is none."""
        return ItemBank.cached(self.made_current().values_list("pk", flat=True)[:1].get())

    def current_scoring(self) -> measurement.Bank | None:
        """Return what scoring needs of the current bank; None if there is none."""
        pk = self.made_current().values_list("pk", flat=True).first()
        return None if pk is None else ItemBank.cached(pk).scoring

    def with_current(self) -> Self:
        """Annotate `is_current`, whether new attempts use the bank."""
        current = ItemBank.objects.made_current().values("pk")[:1]
        return self.annotate(is_current=Q(pk__in=current))

    def lock(self) -> None:
        """Serialise changes of the current bank. Attempts can still start: keys are not locked."""
        list(self.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))

    def published_as(self, data: Mapping[str, Any]) -> ItemBank | None:
        """Return the published bank of a file. Raise ValidationError if it has other content."""
        existing = self.filter(version=data["version"]).first()
        if existing and existing.digest != content_digest(data):
            raise ValidationError(
                f"Version {existing.version} is published with other content. A published version "
                "never changes: give the new content a new version."
            )
        return existing

    @transaction.atomic
    def publish(
        self, data: Mapping[str, Any], *, by: Actor, shipped: bool = False
    ) -> tuple[ItemBank, bool]:
        """Store a bank file. Return the bank and whether it is new.

        `data` has passed `bank_validation.validate`. Raise ValidationError like `published_as`.
        """
        at = timezone.now()
        if existing := self.published_as(data):
            return existing, False
        bank = self.create(
            version=data["version"],
            digest=content_digest(data),
            definition={name: value for name, value in data.items() if name != "items"},
            shipped=shipped,
            published_at=at,
        )
        Item.objects.bulk_create([Item.from_file(row, bank=bank.pk) for row in data["items"]])
        AuditEvent.record("bank.published", bank, by=by, at=at)
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
    retired_at = models.DateTimeField(
        null=True, blank=True, help_text="From then on it can't be made current again."
    )

    objects = ItemBankQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar = [("publish_itembank", "Can make a bank current, and retire one")]
        ordering: ClassVar = ["-published_at"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(version=""), name="itembank_version_not_empty")
        ]

    def __str__(self) -> str:
        return self.version

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk:
            raise ValidationError("A published item bank never changes.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Raise ValidationError, because attempts are scored by the bank that they started with."""
        raise ValidationError("A published item bank is never deleted.")

    @property
    def public_id(self) -> str:
        return f"bank-{self.version}"[:64]

    @transaction.atomic
    def make_current(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> None:
        """Use this bank for new attempts. Raise Refused if it is retired."""
        at = at or timezone.now()
        ItemBank.objects.lock()
        available = ItemBank.objects.available().filter(pk=self.pk)
        if available.update(made_current_at=at) != 1:
            raise Refused(
                f"Bank {self} is retired and can't be made current again. To use its content, "
                "publish it under a new version."
            )
        self.made_current_at = at
        AuditEvent.record("bank.made_current", self, by=by, reason=reason, at=at)

    @transaction.atomic
    def retire(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> None:
        """Never let it be current again. Raise Refused if it is current, or retired already."""
        at = at or timezone.now()
        ItemBank.objects.lock()
        if ItemBank.objects.made_current().only("pk").first() == self:
            raise Refused(
                f"Bank {self} is the current one. Make another bank current first, then retire it."
            )
        if not ItemBank.objects.available().filter(pk=self.pk).update(retired_at=at):
            raise Refused(f"Bank {self} is retired.")
        self.retired_at = at
        AuditEvent.record("bank.retired", self, by=by, reason=reason, at=at)

    @property
    def ships_but_for_norms(self) -> bool:
        """Whether a release replaces it: it ships, or differs from such a bank in norms alone."""
        shipped = ItemBank.objects.filter(shipped=True)
        return self.shipped or any(
            differ_in_norms_alone(each.to_file(), self.to_file()) for each in shipped
        )

    @property
    def is_retired(self) -> bool:
        return self.retired_at is not None

    @cached_property
    def layout(self) -> Layout:
        return Layout.from_sections(self.definition["sections"])

    @cached_property
    def items(self) -> dict[int, Item]:
        """The items by primary key, in the bank's order."""
        items = {item.pk: item for item in self.item_set.order_by("order")}
        for item in items.values():
            item.bank = self  # one object, so that options need no further query
        return items

    @property
    def languages(self) -> list[str]:
        return list(self.definition["languages"])

    @property
    def succeeds(self) -> str:
        """The version of the bank that it was made from; "" for a bank written anew."""
        return str(self.definition.get("succeeds", ""))

    @property
    def norms_from(self) -> int:
        """The number of attempts that its norms come from; 0 for starting norms."""
        return int(self.definition.get("norms_from", 0))

    @staticmethod
    @lru_cache(maxsize=8)
    def cached(pk: int) -> ItemBank:
        """Return the bank with its items, cached in this process. Its times may be out of date."""
        return ItemBank.objects.get(pk=pk)

    @cached_property
    def scoring(self) -> measurement.Bank:
        return measurement.Bank.from_json(self.to_file())

    @cached_property
    def _without_pictures(self) -> dict[str, AptitudeItem]:
        """The puzzles whose answers are not pictures, by code."""
        puzzles = self.scoring.aptitude.items()
        return {code: each for code, each in puzzles if not self.by_code[code].uses_pictures}

    @cached_property
    def can_replace_pictures(self) -> bool:
        """Whether it has pictures, and enough puzzles for a whole attempt without them."""
        others = len(self._without_pictures)
        return self.layout.find(Item.Section.APTITUDE).total <= others < len(self.scoring.aptitude)

    @cached_property
    def by_code(self) -> dict[str, Item]:
        return {item.code: item for item in self.items.values()}

    def names(self, language: str) -> dict[str, str]:
        """Return the texts of interest statements and the names of fields, by code."""
        statements = {
            item.code: item.content["text"][language]
            for item in self.items.values()
            if item.section in (Item.Section.INTERESTS, Item.Section.FIELDS)
        }
        fields = {each["code"]: each["name"][language] for each in self.definition["fields"]}
        return statements | fields

    def items_of_page(
        self,
        section: Section,
        first: int,
        taken: Choices,
        *,
        exposure: Mapping[str, float],
        seed: str,
        fields: Sequence[str],
        avoid_pictures: bool = False,
    ) -> dict[int, Item]:
        """Return the items of the page that begins at a position, by position. Deterministic.

        `taken` are the choices so far, at least of the section, `exposure` is from `bank_usage`,
        and `fields` are the leading ones, which stage 2 asks about.
        """
        if section.code == Item.Section.APTITUDE:
            seed = f"{seed} {first}"
            return {first: self.next_puzzle(taken, exposure, seed, avoid_pictures=avoid_pictures)}
        asked = (
            item
            for item in self.items.values()
            if item.section == section.code
            and item.code not in taken
            and (section.code != Item.Section.FIELDS or item.scale in {*fields, INSTRUCTED})
        )
        page = section.page(first)
        return dict(zip(page, islice(asked, len(page)), strict=True))

    def next_puzzle(
        self, taken: Choices, exposure: Mapping[str, float], seed: str, *, avoid_pictures: bool
    ) -> Item:
        """Return the next puzzle. `avoid_pictures` gives the share of picture puzzles to others."""
        candidates, substitutes = self.scoring.aptitude, {}
        if avoid_pictures:
            candidates = self._without_pictures
            left = {each.family for each in candidates.values()}
            substitutes = self.scoring.find_substitutes(left)
        code = next_item(
            [item for code, item in candidates.items() if code not in taken],
            self.scoring.mark_puzzles(_made(taken)),
            exposure=exposure,
            seed=seed,
            substitutes=substitutes,
            facets=self.scoring.facets.values(),
        )
        return self.by_code[code]

    def leading_fields(self, choices: Choices) -> list[str]:
        """Return the fields for stage 2. Raise ValueError if a Holland type has no answer."""
        return fields_to_ask(self.scoring, _made(choices))

    def evaluate(
        self,
        given: Sequence[AnsweredItem],
        courses: Sequence[CourseData],
        count: int,
        stream: str = "",
        named: Sequence[str] = (),
        further: int = 0,
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return profile and at most `count` recommendations and `further`, in plain values.

        `given` are all answers in order, `named` the codes of the courses that the student named.
        The profile has the courses that need other subjects as `other_subjects`, the codes of those
        that fit best as `best_closed`, and the enjoyed fields that no course has as `unserved`. If
        courses were named, it has what is said of them as `considered`, and the first codes without
        the naming as `unnamed`. Raise KeyError for an item that is not in this bank.
        """
        bank = self.scoring
        profile = score_attempt(bank, given)
        answers = {each.code: each.choice for each in given}
        suggestions = suggest(bank, profile, answers, courses, count, stream, named, further)
        stored = profile.to_json()
        if suggestions.other_subjects:
            stored["other_subjects"] = [
                {"code": each.code, "name": each.name, "streams": list(each.required_streams)}
                for each in suggestions.other_subjects
            ]
        stored["best_closed"] = [each.code for each in suggestions.best_closed]
        stored["unserved"] = suggestions.unserved
        if suggestions.considered:
            stored["considered"] = [asdict(each) for each in suggestions.considered]
            stored["unnamed"] = suggestions.unnamed
        return stored, [asdict(course) for course in suggestions.recommended]

    def to_file(self) -> dict[str, Any]:
        return {**self.definition, "items": [item.file_row for item in self.items.values()]}


def _made(choices: Choices) -> dict[str, int]:
    return {code: choice for code, choice in choices.items() if choice is not None}


def content_digest(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a bank file's content, regardless of spacing and order of keys."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
