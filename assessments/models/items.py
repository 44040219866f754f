"""The questions of a bank."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.safestring import SafeString

from measurement.bank import DONT_KNOW

NUMBERS_ARE_NULL = ("key__isnull", "a__isnull", "b__isnull", "c__isnull")  # those of puzzles
# The members of an item in a bank file that have their own column; `content` has all others.
COLUMNS = frozenset({"code", "section", "scale", "family", "order", "keyed", "key", "a", "b", "c"})


class Item(models.Model):
    class Section(models.TextChoices):
        INTERESTS = "interests"
        FIELDS = "fields", "Interests, stage 2"
        APTITUDE = "aptitude"
        PREFERENCES = "preferences"

    bank = models.ForeignKey("assessments.ItemBank", on_delete=models.PROTECT, db_index=False)
    code = models.CharField(max_length=64)
    section = models.CharField(max_length=16, choices=Section.choices)
    scale = models.CharField(
        max_length=32, help_text="Interest type, field, item family or preference."
    )
    order = models.PositiveIntegerField()
    content = models.JSONField(help_text="Texts per language, options, figure, radicals.")
    keyed = models.SmallIntegerField(default=1, help_text="-1: agreement counts the other way.")
    key = models.PositiveSmallIntegerField(null=True, blank=True)
    a = models.FloatField(null=True, blank=True, help_text="Discrimination.")
    b = models.FloatField(null=True, blank=True, help_text="Difficulty.")
    c = models.FloatField(null=True, blank=True, help_text="Guessing.")

    class Meta:
        default_permissions = ("view",)
        ordering: ClassVar = ["bank", "order"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["bank", "code"], name="item_code_unique_in_bank"),
            models.UniqueConstraint(fields=["bank", "order"], name="item_order_unique_in_bank"),
            models.CheckConstraint(
                condition=Q(section__in=["interests", "fields", "aptitude", "preferences"]),
                name="item_section_known",
            ),
            models.CheckConstraint(condition=Q(keyed__in=[-1, 1]), name="item_keyed_plus_or_minus"),
            models.CheckConstraint(
                condition=Q(section="aptitude", **dict.fromkeys(NUMBERS_ARE_NULL, False))
                | (~Q(section="aptitude") & Q(**dict.fromkeys(NUMBERS_ARE_NULL, True))),
                name="item_key_and_parameters_iff_aptitude",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @classmethod
    def from_file(cls, row: Mapping[str, Any], *, bank: int) -> Self:
        """Return an unsaved item from a row of a bank file, for the bank with this key."""
        columns = {name: row[name] for name in COLUMNS & row.keys()}
        columns.setdefault("scale", columns.pop("family", None))
        content = {name: value for name, value in row.items() if name not in COLUMNS}
        return cls(bank_id=bank, content=content, **columns)

    @property
    def file_row(self) -> dict[str, Any]:
        row = {"code": self.code, "section": self.section, "order": self.order, **self.content}
        if self.is_aptitude:
            numbers = {"key": self.key, "a": self.a, "b": self.b, "c": self.c}
            return {**row, "family": self.scale, **numbers}
        if self.section == Item.Section.PREFERENCES:
            row["keyed"] = self.keyed
        return {**row, "scale": self.scale}

    @property
    def is_aptitude(self) -> bool:
        return self.section == Item.Section.APTITUDE

    @cached_property
    def options(self) -> list[dict[str, Any]]:
        """The answers in order: `value` is stored, `label` is by language, `figure` is optional."""
        definition = self.bank.definition
        if not self.is_aptitude:
            # Both stages of interest statements have the same answers.
            answers = "interests" if self.section == Item.Section.FIELDS else self.section
            return list(definition["answers"][answers])
        return [*self.content["options"], {"value": DONT_KNOW, "label": definition["dont_know"]}]

    @cached_property
    def uses_pictures(self) -> bool:
        """Whether its answers are pictures. Charts and tables do not count: they have words."""
        return any("figure" in option for option in self.options)

    def offers(self, choice: int) -> bool:
        return any(option["value"] == choice for option in self.options)

    @cached_property
    def fieldsets(self) -> dict[tuple[str, str, int], SafeString]:
        """Cached HTML of the unanswered item by language, control and number."""
        return {}
