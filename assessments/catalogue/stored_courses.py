"""Courses as a snapshot of a catalogue stores them. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from assessments.catalogue import course_description
from assessments.measurement.courses import CourseData
from assessments.measurement.scales import FACETS

# Columns beside those that ranking uses.
BESIDE = ("is_active", "fields_proposed", *course_description.COLUMNS)
_SAME = ("code", "name", "order", "department", "entry_level")
_LISTS = ("delivery", "streams", "fields", "required_streams")


def stored(data: CourseData, beside: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a snapshot stores of a course; `beside` has the columns of BESIDE."""
    # Not `asdict`, whose copies took half the time of a load of 10,000 courses.
    ranked = {each.name: getattr(data, each.name) for each in fields(data)}
    return {**ranked, **{name: beside[name] for name in BESIDE}}


def columns_of(course: Mapping[str, Any]) -> dict[str, Any]:
    data = CourseData.from_json(course)
    return {
        **{name: getattr(data, name) for name in _SAME},
        **{name: list(getattr(data, name)) for name in _LISTS},
        **dict(zip([f"{facet}_level" for facet in FACETS], data.levels, strict=True)),
        **dict(zip([f"{facet}_importance" for facet in FACETS], data.importance, strict=True)),
        **{name: course[name] for name in BESIDE},
    }
