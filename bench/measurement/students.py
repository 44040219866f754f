"""Send sixteen simulated students through the running service and check their recommendations.

    python -m bench.measurement.students

personas.py has the students and the courses expected for each, written beforehand. Each student
gets a link from the partner's operation, opens it, and answers every page: statements near what
they like, puzzles by the response model at their ability. Before the last page, the program moves
the times to those of a person who reads. Exit status 1 if an expectation is not met.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assessments.measurement.response_model import probability
from bench.measurement.claims.simulated import shipped_file
from bench.measurement.personas import PERSONAS, Persona
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger
from tests.support.stack import running

if TYPE_CHECKING:
    from tests.support.server import Service

INTERESTS = ("realistic", "investigative", "artistic", "social", "enterprising", "conventional")
PREFERENCES = ("alone_group", "doing_reading", "planned_flexible", "online_classroom")
# The SD of a person's answers around their interest.
NOISE = 0.8
SECONDS = {"interests": 5.0, "fields": 5.0, "preferences": 6.0, "aptitude": 35.0}

Item = Mapping[str, Any]


@dataclass(frozen=True)
class Taken:
    """What came of an attempt that a student took through the pages."""

    status: str
    courses: tuple[str, ...]
    profile: Mapping[str, Any]
    recommendations: tuple[Mapping[str, Any], ...]
    page: str


@dataclass(frozen=True)
class Outcome:
    """A student's result."""

    persona: Persona
    taken: Taken

    @property
    def flags(self) -> list[str]:
        return list(self.taken.profile["validity"]["flags"])

    def complaints(self) -> list[str]:
        """Describe how the result differs from the expectations."""
        hits = [code for code in self.persona.expected if code in self.taken.courses]
        found = []
        if len(hits) < self.persona.least:
            found.append(f"{len(hits)} of the expected courses, not {self.persona.least}")
        found += [
            f"{code} is there" for code in self.persona.not_expected if code in self.taken.courses
        ]
        found += [f"not so: {note}" for note in self.persona.noted if not self._is_so(note)]
        if self.persona.manner == "reads" and self.flags:
            found.append(f"flagged: {', '.join(self.flags)}")
        return found

    def _is_so(self, note: str) -> bool:
        return {
            "five courses": len(self.taken.courses) == 5,
            "the status is Completed": self.taken.status == "Completed",
            "the answers are flagged": bool(self.flags),
            "the profile is called flat or the note asks for care": "much alike" in self.taken.page,
            "a counterpoint names preparation": any(
                "level" in str((course.get("counterpoint") or {}).get("code"))
                for course in self.taken.recommendations
            ),
        }[note]


def choice(
    persona: Persona,
    item: Mapping[str, Any],
    facets: Mapping[str, list[str]],
    rng: random.Random,
) -> int:
    """Return the person's choice: the answer to a statement, or an option of a puzzle."""
    if item["section"] == "aptitude":
        return 1 if persona.manner == "clicks" else solved(persona.can, item, facets, rng)
    if persona.manner == "clicks":
        return 3
    if item["scale"] == "instructed":
        return int(item["expected"])
    if item["section"] == "interests":
        mean = persona.likes[INTERESTS.index(item["scale"])]
    else:
        mean = persona.leans[PREFERENCES.index(item["scale"])]
        mean = mean if item.get("keyed", 1) == 1 else 6 - mean
    return max(1, min(5, round(rng.gauss(mean, NOISE))))


def solved(
    can: tuple[float, float, float],
    item: Item,
    facets: Mapping[str, list[str]],
    rng: random.Random,
) -> int:
    """Return the option that a student of this ability chooses, by the response model."""
    facet = next(f for f, families in facets.items() if item["family"] in families)
    theta = can[("numerical", "abstract", "verbal").index(facet)]
    if rng.random() < probability(theta, item["a"], item["b"], item["c"]):
        return int(item["key"])
    wrong = [o["value"] for o in item["options"] if o["value"] != item["key"]]
    return int(rng.choice([*wrong, 0, 0]))


def send_through(
    service: Service,
    partner: Partner,
    bank: Mapping[str, Any],
    email: str,
    choose: Callable[[Item], int],
    *,
    stream: str = "other",
    in_a_hurry: bool = False,
) -> Taken:
    """Take the whole assessment as a student who chooses so; return what came of it.

    `stream` is the student's answer to the stream question.
    """
    items = {item["code"]: item for item in bank["items"]}
    browser = RemoteBrowser(Client(Gate(service.port), Ledger()))
    page = browser.answer_subjects(browser.start(partner.link(browser.client, email)), stream)
    while page.name != "result":
        if page.name == "section":
            page = browser.go_on(page)
            continue
        asked = service.rows(
            "SELECT i.code, n.position, n.id FROM assessments_answer n"
            " JOIN assessments_item i ON i.id = n.item_id"
            " JOIN assessments_assessment a ON a.id = n.assessment_id"
            " JOIN assessments_student s ON s.id = a.student_id"
            " WHERE s.email = %s AND n.choice IS NULL ORDER BY n.position",
            (email,),
        )
        shown = [items[row["code"]] for row in asked]
        take_time(service, shown, asked, in_a_hurry=in_a_hurry)
        answers = [str(choose(item)) for item in shown]
        page = browser.press(page, dict(zip(page.form.questions, answers, strict=True)))
    [record] = partner.results(browser.client, email)
    [row] = service.rows(
        "SELECT a.profile, a.recommendations FROM assessments_assessment a"
        " JOIN assessments_student s ON s.id = a.student_id WHERE s.email = %s",
        (email,),
    )
    chosen = loaded(row["recommendations"])
    assert record["Recommendations"] == [course["name"] for course in chosen]
    return Taken(
        record["Status"],
        tuple(course["code"] for course in chosen),
        loaded(row["profile"]),
        tuple(chosen),
        unescape(page.text),
    )


def take_time(
    service: Service, asked: list[Item], rows: list[dict[str, Any]], *, in_a_hurry: bool
) -> None:
    """Set back the time at which the page was shown, as if the student had read it."""
    seconds = sum(SECONDS[item["section"]] for item in asked)
    if in_a_hurry:
        seconds = 0.5 * len(asked)
    for row in rows:
        service.rows(
            "UPDATE assessments_answer SET shown_at = datetime(shown_at, %s)"
            " WHERE id = %s RETURNING id",
            (f"-{seconds} seconds", row["id"]),
        )


def loaded(value: Any) -> Any:
    """SQLite returns JSON columns as text."""
    return json.loads(value) if isinstance(value, str) else value


def main() -> int:
    bank = json.loads(shipped_file().read_bytes())
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        partner = Partner.onboarded(service.manage)
        outcomes = [outcome(persona, service, partner, bank) for persona in PERSONAS]
    for each in outcomes:
        show(each)
    met = [not each.complaints() for each in outcomes]
    print(f"{sum(met)} of {len(met)} as expected")
    return 0 if all(met) else 1


def outcome(
    persona: Persona, service: Service, partner: Partner, bank: Mapping[str, Any]
) -> Outcome:
    rng = random.Random(f"student {persona.number}")
    taken = send_through(
        service,
        partner,
        bank,
        f"student{persona.number}@example.com",
        lambda item: choice(persona, item, bank["facets"], rng),
        in_a_hurry=persona.manner == "clicks",
    )
    return Outcome(persona, taken)


def show(outcome: Outcome) -> None:
    """Print the expected and the actual courses, with the complaints."""
    persona, complaints = outcome.persona, outcome.complaints()
    print(f"{'ok  ' if not complaints else 'MISS'} {persona.number:2} {persona.who}")
    expected = f"{persona.least} of {', '.join(persona.expected)}" if persona.expected else "-"
    print(f"        expected: {expected}; not {', '.join(persona.not_expected) or '-'}")
    print(f"        came out: {', '.join(outcome.taken.courses)}")
    aptitude = outcome.taken.profile["aptitude"]
    print(f"        aptitude: { {f: round(v['theta'], 2) for f, v in aptitude.items()} }")
    for complaint in complaints:
        print(f"        {complaint}")


if __name__ == "__main__":
    sys.exit(main())
