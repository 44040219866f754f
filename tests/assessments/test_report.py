"""What the result page says of a profile, in words and figures."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.measurement.profile import Profile
from assessments.measurement.scales import INTERESTS, PREFERENCES
from assessments.student.report import report

CLEAR = (4.5, 2.0, 3.0, 3.5, 1.5, 2.5)


def profile(
    facets: dict[str, float] | None = None,
    interests: tuple[float, ...] = CLEAR,
    preference: float = 3.0,
) -> Profile:
    """Return a profile with a theta for each facet given, each with an error of .3."""
    thetas = {"overall": 0.5, **(facets or {})}
    return Profile.from_json(
        {
            "interests": {
                name: {"mean": mean, "z": (mean - 3) / 0.9}
                for name, mean in zip(INTERESTS, interests, strict=True)
            },
            "aptitude": {name: {"theta": theta, "se": 0.3} for name, theta in thetas.items()},
            "preferences": {
                name: {"mean": preference, "z": (preference - 3) / 0.9} for name in PREFERENCES
            },
        }
    )


EVEN = {"numerical": 0.6, "abstract": 0.5, "verbal": 0.4}


def stored(note: str = "", **more: Any) -> dict[str, Any]:
    """Return a recommendation as it is stored."""
    point = {"about": "realistic", "answer": 5, "rating": 3, "band": "", "form": 0}
    return {
        "code": "BOT",
        "name": "Botany",
        "reasons": [point | {"code": "liked"}, point | {"code": "liked", "form": 1}],
        "counterpoint": point | {"code": "disliked", "about": "social"},
        "note": note,
        "entry_level": "class-12",
        "streams": [],
    } | more


def test_the_overall_band_comes_first_and_the_facets_follow() -> None:
    said = report(profile(EVEN), [], "en")["aptitude"]

    assert [each["code"] for each in said] == ["overall", "numerical", "abstract", "verbal"]
    assert all(each["label"] and each["text"] and each["band"] for each in said)
    assert all(0 <= each["low"] < each["high"] <= 100 for each in said)
    assert "Between number 57 and number 79 of 100." in said[0]["se_text"]


@pytest.mark.parametrize(
    ("facet", "puzzles"),
    [("numerical", "number puzzles"), ("abstract", "pattern puzzles"), ("verbal", "logic puzzles")],
)
def test_a_facet_that_clearly_leads_is_named(facet: str, puzzles: str) -> None:
    facets = dict.fromkeys(EVEN, 0.0) | {facet: 1.5}

    assert puzzles in report(profile(facets), [], "en")["stronger"]


def test_flagged_answers_are_mentioned_gently_and_once() -> None:
    said = report(profile(), [stored("flagged"), stored("flagged")], "en")

    assert said["confidence_note"].count("in a hurry") == 1
    assert [course["note"] for course in said["courses"]] == ["", ""]


@pytest.mark.parametrize("recommendations", [[], [stored("flat")], [stored()]])
def test_a_flat_profile_is_called_a_first_idea(recommendations: list[dict[str, Any]]) -> None:
    said = report(profile(interests=(3.0,) * 6), recommendations, "en")

    assert said["flat"] is True
    assert said["highest"] == []
    assert "only a first idea" in said["confidence_note"]


@pytest.mark.parametrize(
    ("mean", "label"),
    [(3.0, "No strong preference."), (3.4, "No strong preference."), (4.0, "You lean towards")],
)
def test_a_preference_is_named_only_when_it_is_clear(mean: float, label: str) -> None:
    said = report(profile(preference=mean), [], "en")["preferences"]

    assert all(each["label"].startswith(label) for each in said)
