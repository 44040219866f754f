"""Fields: kinds of work that a school leaver can name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# The Holland types of each field, after the occupations of O*NET and the correlations of basic
# interests among students. The order decides between equal scores.
FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "machines": ("realistic",),
        "building": ("realistic",),
        "nature": ("realistic", "investigative"),
        "care": ("social",),
        "life_science": ("investigative",),
        "physical_science": ("investigative",),
        "maths": ("investigative", "conventional"),
        "computers": ("realistic", "investigative"),
        "mind_society": ("investigative", "social"),
        "art": ("artistic",),
        "design": ("artistic",),
        "writing": ("artistic",),
        "media": ("artistic", "enterprising"),
        "performing": ("artistic",),
        "teaching": ("social",),
        "helping": ("social",),
        "business": ("enterprising",),
        "law": ("enterprising",),
        "hospitality": ("social", "enterprising"),
        "accounts": ("conventional",),
        "logistics": ("enterprising", "conventional"),
        "office": ("conventional",),
    }
)
