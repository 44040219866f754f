"""The two settings of webhooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.env import read
from tests.config.test_environment import COMPLETE, environment, faults

__all__ = ["environment"]  # a fixture


def test_production_does_not_start_with_a_test_receiver(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("WEBHOOK_TEST_RECEIVER", "true")

    assert faults(tmp_path) == {
        "WEBHOOK_TEST_RECEIVER": "must not be set: webhooks would reach this machine."
    }


def test_a_weak_webhook_key_is_refused_and_an_empty_one_is_not(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("WEBHOOK_KEY", "short")
    assert list(faults(tmp_path)) == ["WEBHOOK_KEY"]

    environment.setenv("WEBHOOK_KEY", "")
    assert read(tmp_path)["WEBHOOK_KEY"] == ""

    environment.setenv("WEBHOOK_KEY", COMPLETE["SECRET_KEY"])
    assert read(tmp_path)["WEBHOOK_KEY"] == COMPLETE["SECRET_KEY"]


def test_the_demo_keeps_a_key_of_its_own_and_allows_a_receiver_here(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("MODE", "demo")

    first, second = read(tmp_path), read(tmp_path)

    assert first["WEBHOOK_TEST_RECEIVER"] is True
    assert len(first["WEBHOOK_KEY"]) >= 50
    assert first["WEBHOOK_KEY"] == second["WEBHOOK_KEY"] != first["SECRET_KEY"]
