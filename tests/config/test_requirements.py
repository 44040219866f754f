"""The requirements files: what pyproject.toml asks for, pinned with hashes, no host named."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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
    "requirements-engines.txt": ("engines", False),
    "requirements-pip.txt": ("install", False),
}
TEXTS = {file: (ROOT / file).read_text() for file in GROUPS}
PINS = {
    file: dict(re.findall(r"^([a-z0-9-]+)(?:\[[^]]+\])?==(\S+)", text, re.MULTILINE))
    for file, text in TEXTS.items()
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


def test_the_files_agree():
    small, middle, large, bench = [PINS[file].items() for file in GROUPS if GROUPS[file][1]]

    assert small <= middle <= large
    assert small <= bench
