"""Positions, pages and sections of an attempt."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.measurement.layout import Layout


def section(code: str, items: int, per_page: int) -> dict[str, Any]:
    return {
        "code": code,
        "items_given": items,
        "per_page": per_page,
        "title": {"en": code},
        "intro": {"en": []},
    }


LAYOUT = Layout.of(
    [section("interests", 8, 3), section("aptitude", 2, 1), section("preferences", 4, 4)]
)


def test_sections_follow_each_other() -> None:
    assert [(s.code, s.number, s.first, s.last) for s in LAYOUT.sections] == [
        ("interests", 1, 1, 8),
        ("aptitude", 2, 9, 10),
        ("preferences", 3, 11, 14),
    ]
    assert LAYOUT.total == 14


@pytest.mark.parametrize(
    ("position", "page"),
    [
        (1, [1, 2, 3]),
        (3, [1, 2, 3]),
        (4, [4, 5, 6]),
        (7, [7, 8]),
        (8, [7, 8]),
        (9, [9]),
        (10, [10]),
        (11, [11, 12, 13, 14]),
        (14, [11, 12, 13, 14]),
    ],
)
def test_a_position_is_on_one_page(position: int, page: list[int]) -> None:
    found = LAYOUT.section_at(position)

    assert list(found.page(position)) == page
    assert found.page_first(position) == page[0]
