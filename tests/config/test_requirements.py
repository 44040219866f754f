"""The requirements files: what pyproject.toml asks for, pinned with hashes, no host named."""

import re
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support.server import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# Each file's group, and whether it is installed with the service's own dependencies.
GROUPS = {
    "requirements.txt": (None, True),
    "requirements-test.txt": ("test", True),
    "requirements-dev.txt": ("dev", True),
    "requirements-bench.txt": ("bench", True),
    "requirements-lab.txt": ("lab", False),
    "requirements-cluster.txt": ("cluster", False),
    "requirements-pip.txt": ("install", False),
}
TEXTS = {file: (ROOT / file).read_text() for file in GROUPS}
PINS = {
    file: dict(re.findall(r"^([a-z0-9-]+)(?:\[[^]]+\])?==(\S+)", text, re.MULTILINE))
    for file, text in TEXTS.items()
}
# The first versions without the holes that are known of them, as of November 2026.
FLOORS = {
    "django": "5.2.19",  # CVE-2026-87975, -84429, -4292, -4277 and more on the way
    "djangorestframework": "3.17.2",  # bodies of JSON were unbounded before
    "gunicorn": "26.1",  # request smuggling: duplicate Host, chunks cut off
    "django-ratelimit": "4.1.0",
}


def asked_for(file):
    """Return the direct dependencies, with those of a group and of the groups in it."""
    group, with_service = GROUPS[file]
    found = list(PROJECT["project"]["dependencies"]) if with_service else []
    waiting = [group] if group else []
    while waiting:
        for entry in PROJECT["dependency-groups"][waiting.pop()]:
            if isinstance(entry, str):
                found.append(entry)
            else:
                waiting.append(entry["include-group"])
    return [Requirement(text) for text in found]


@pytest.mark.parametrize("file", GROUPS)
def test_each_dependency_is_pinned_within_its_range_with_a_hash_and_no_host(file):
    text, pins = TEXTS[file], PINS[file]

    for requirement in asked_for(file):
        version = pins.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name} is not in {file}"
        assert requirement.specifier.contains(version), f"{requirement} is {version} in {file}"
    blocks = re.findall(r"^(\S[^=]*==.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(pins)
    assert all("--hash=sha256:" in block for block in blocks)
    assert not re.search("://|--index|--find-links", text)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_the_pins_are_complete_on_each_python(python):
    """The files are made for the oldest one: find what only a later one needs."""
    pins = PINS["requirements-test.txt"]
    environment = {"python_version": python, "python_full_version": f"{python}.9", "extra": ""}

    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(f"{python}.0")
    for name in pins:
        about = metadata.metadata(name)
        assert SpecifierSet(about.get("Requires-Python", "")).contains(f"{python}.0"), name
        for needed in map(Requirement, about.get_all("Requires-Dist") or []):
            if needed.marker is None or needed.marker.evaluate(environment):
                assert canonicalize_name(needed.name) in pins, f"{name} needs {needed}"


@pytest.mark.parametrize("package", FLOORS)
def test_no_pin_and_no_range_is_below_the_version_that_mends_a_known_hole(package):
    floor = FLOORS[package]
    [asked] = [
        each for each in asked_for("requirements.txt") if canonicalize_name(each.name) == package
    ]

    for file, (_, with_service) in GROUPS.items():
        if with_service:
            assert Version(PINS[file][package]) >= Version(floor), file
    assert not asked.specifier.contains(Version(f"{floor}.dev0"), prereleases=True)


def test_the_files_agree():
    small, middle, large, bench = [PINS[file].items() for file in GROUPS if GROUPS[file][1]]

    assert small <= middle <= large
    assert small <= bench
