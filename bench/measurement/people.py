"""Send twenty-six people through the running service, on the bank that ranks by fields.

    python -m bench.measurement.people

personas.py has the people, answer by answer, and the courses due to them. Each gets a link from the
partner's operation, opens it and answers every page. Prints every list as a row of the table in
docs/people.md, with must-haves in **bold** and must-nots in *italics*. Exit status 1 if a
target is missed.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assessments.banks import SHIPPED
from bench.measurement.attempts import Item, Taken, solved, take_attempt
from bench.measurement.personas import PERSONAS, Persona
from bench.service import running
from lab.figures import Figure, at_least, exactly, exit_status
from tests.support.clients import Partner

if TYPE_CHECKING:
    from tests.support.server import Service

FIRST = 3
LEAST_WITH_A_MUST_HAVE = 0.9


def main() -> int:
    taken = outcomes()
    for persona, each in zip(PERSONAS, taken, strict=True):
        courses = ", ".join(marked(persona, code) for code in each.courses)
        due, wrong = ", ".join(persona.must_have), ", ".join(persona.must_not)
        print(f"| {persona.number} | {persona.who} | {due} | {wrong} | {courses} |")
    return exit_status(figures(taken))


def outcomes() -> list[Taken]:
    """Start a service, let everybody take an attempt, and return what came of each."""
    bank = json.loads(SHIPPED.read_bytes())
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        partner = Partner.onboarded(service.manage)
        return [take(persona, service, partner, bank) for persona in PERSONAS]


def take(persona: Persona, service: Service, partner: Partner, bank: Mapping[str, Any]) -> Taken:
    rng = random.Random(f"persona {persona.number}")

    def choose(item: Item) -> int:
        if item["section"] == "aptitude":
            return solved(persona.can, item, bank["facets"], rng)
        if item["scale"] == "instructed":
            return int(item["expected"])
        return persona.answer(item["code"]) if item["section"] != "preferences" else 3

    email = f"persona{persona.number}@example.com"
    return take_attempt(service, partner, bank, email, choose, stream=persona.stream)


def marked(persona: Persona, code: str) -> str:
    if code in persona.must_have:
        return f"**{code}**"
    return f"*{code}*" if code in persona.must_not else code


def figures(taken: Sequence[Taken]) -> Iterator[Figure]:
    pairs = list(zip(PERSONAS, taken, strict=True))
    met = [set(persona.must_have) & set(each.courses[:FIRST]) for persona, each in pairs]
    wrong = [code for persona, each in pairs for code in each.courses if code in persona.must_not]
    yield at_least(
        "people with a must-have among the first three",
        sum(map(bool, met)) / len(met),
        LEAST_WITH_A_MUST_HAVE,
    )
    yield exactly("must-nots in any five", len(wrong), 0)


if __name__ == "__main__":
    sys.exit(main())
