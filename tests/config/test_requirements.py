"""The requirements files: what pyproject.toml asks for, pinned with hashes, no host named."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ["3.11", "3.12", "3.13"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def asked_for(group: str | None) -> list[Requirement]:
    """Return the direct dependencies, with those of a group and of the groups in it.

    Some groups are installed without the service's own.
    """
    of_service = [] if group in ALONE else PROJECT["project"]["dependencies"]
    found = [Requirement(text) for text in of_service]
    waiting = [group] if group else []
    while waiting:
        for entry in PROJECT["dependency-groups"][waiting.pop()]:
            if isinstance(entry, str):
                found.append(Requirement(entry))
            else:
                waiting.append(entry["include-group"])
    return found


def pinned(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[^]]+\])?==(\S+)", text, re.MULTILINE))


FILES = [
    ("requirements.txt", None),
    ("requirements-test.txt", "test"),
    ("requirements-dev.txt", "dev"),
    ("requirements-bench.txt", "bench"),
    ("requirements-lab.txt", "lab"),
    ("requirements-cluster.txt", "cluster"),
    ("requirements-pip.txt", "install"),
]
ALONE = ("cluster", "install", "lab")
OF_SERVICE = [each for each in FILES if each[1] not in ALONE]


@pytest.mark.parametrize(("file", "group"), FILES)
def test_each_dependency_is_pinned_within_its_range(file: str, group: str | None) -> None:
    pins = pinned((ROOT / file).read_text())

    for requirement in asked_for(group):
        version = pins.get(canonicalize_name(requirement.name))

        assert version, f"{requirement.name} is not in {file}"
        assert requirement.specifier.contains(version), f"{requirement} is {version} in {file}"


@pytest.mark.parametrize(("file", "group"), FILES)
def test_each_pin_has_a_hash_and_no_host(file: str, group: str | None) -> None:
    text = (ROOT / file).read_text()

    blocks = re.findall(r"^(\S[^=]*==.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(pinned(text))
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize("python", PYTHONS)
def test_the_pins_are_complete_on_each_python(python: str) -> None:
    """The files are made for the oldest one: find what only a later one needs."""
    pins = pinned((ROOT / "requirements-test.txt").read_text())
    environment = {"python_version": python, "python_full_version": f"{python}.9", "extra": ""}

    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(f"{python}.0")
    for name in pins:
        about = metadata.metadata(name)
        assert SpecifierSet(about.get("Requires-Python", "")).contains(f"{python}.0"), name
        for needed in map(Requirement, about.get_all("Requires-Dist") or []):
            if needed.marker is None or needed.marker.evaluate(environment):
                assert canonicalize_name(needed.name) in pins, f"{name} needs {needed}"


# The first versions without the holes that are known of them, as of November 2026.
FLOORS = {
    "django": "5.2.19",  # CVE-2026-87975, -84429, -4292, -4277 and more on the way
    "djangorestframework": "3.17.2",  # bodies of JSON were unbounded before
    "gunicorn": "26.1",  # request smuggling: duplicate Host, chunks cut off
    "django-ratelimit": "4.1.0",
}


@pytest.mark.parametrize("package", FLOORS)
def test_no_pin_is_below_the_version_that_mends_a_known_hole(package: str) -> None:
    """S-11. The ranges too: a new pin is chosen by them."""
    (asked,) = (each for each in asked_for(None) if canonicalize_name(each.name) == package)
    below = Version(FLOORS[package] + ".dev0")

    for file, _ in OF_SERVICE:
        pin = pinned((ROOT / file).read_text())[package]
        assert Version(pin) >= Version(FLOORS[package]), f"{package} is {pin} in {file}"
    assert not asked.specifier.contains(below, prereleases=True)


def test_the_files_agree() -> None:
    small, middle, large, bench = (pinned((ROOT / file).read_text()) for file, _ in OF_SERVICE)

    assert small.items() <= middle.items() <= large.items()
    assert small.items() <= bench.items()
