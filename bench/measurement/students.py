"""Send sixteen made-up students through the running service and compare with what was expected.

    python -m bench.measurement.students [--json]

The students and the courses expected for each are in personas.py, written beforehand. Each
gets a link from the partner's operation, opens it, and answers every page as the person would:
statements around what they like, puzzles right or wrong by the response model at their ability.
Times are moved to those of a reader before the last page is sent. Exit status 1 if an expectation
is not met.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measurement.personas import PERSONAS, Persona

if TYPE_CHECKING:
    from tests.support.backend import PartnerBackend
    from tests.support.server import Service

ROOT = Path(__file__).resolve().parents[2]
INTERESTS = ("realistic", "investigative", "artistic", "social", "enterprising", "conventional")
PREFERENCES = ("alone_group", "doing_reading", "planned_flexible", "online_classroom")
# How far single answers of a person lie around what they like, as an SD.
NOISE = 0.8
SECONDS = {"interests": 5.0, "preferences": 6.0, "aptitude": 35.0}


@dataclass(frozen=True)
class Outcome:
    """What came out for a student."""

    persona: Persona
    status: str
    courses: tuple[str, ...]
    profile: Mapping[str, Any]
    recommendations: tuple[Mapping[str, Any], ...]
    page: str

    @property
    def flags(self) -> list[str]:
        return list(self.profile["validity"]["flags"])

    def complaints(self) -> list[str]:
        """Return in which points it is not what was expected."""
        hits = [code for code in self.persona.expected if code in self.courses]
        found = []
        if len(hits) < self.persona.least:
            found.append(f"{len(hits)} of the expected courses, not {self.persona.least}")
        found += [f"{code} is there" for code in self.persona.not_expected if code in self.courses]
        found += [f"not so: {note}" for note in self.persona.noted if not self._is_so(note)]
        if self.persona.manner == "reads" and self.flags:
            found.append(f"flagged: {', '.join(self.flags)}")
        return found

    def _is_so(self, note: str) -> bool:
        return {
            "five courses": len(self.courses) == 5,
            "the status is Completed": self.status == "Completed",
            "the answers are flagged": bool(self.flags),
            "the profile is called flat or the note asks for care": "much alike" in self.page,
            "a counterpoint names preparation": any(
                "level" in str((course.get("counterpoint") or {}).get("code"))
                for course in self.recommendations
            ),
        }[note]


class Phone:
    """A browser without scripts: it keeps cookies and sends forms."""

    def __init__(self) -> None:
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.page = ""
        self.url = ""

    def open(self, url: str, fields: Mapping[str, str] | None = None) -> None:
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(url, data, {"Referer": self.url or url})
        with self.opener.open(request, timeout=30) as response:
            self.page, self.url = response.read().decode(), response.url

    def send(self, **fields: str) -> None:
        """Send the page's form with its hidden fields and these."""
        form = re.search(r'<form method="post" action="([^"]+)".*?</form>', self.page, re.S)
        assert form, self.page
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0])
        target = urllib.parse.urljoin(self.url, unescape(form[1]))
        self.open(target, {name: unescape(value) for name, value in hidden} | fields)

    @property
    def kind(self) -> str:
        found = re.search(r'data-page="([^"]+)"', self.page)
        return found[1] if found else ""

    @property
    def controls(self) -> list[str]:
        """The names of the page's questions, in their order."""
        names = re.findall(r'type="radio"\s+name="([^"]+)"', self.page)
        return list(dict.fromkeys(names))


def choice(persona: Persona, item: Mapping[str, Any], rng: random.Random) -> int:
    """Return what this person chooses: a statement's answer, or an option of a puzzle."""
    from assessments.measurement.response_model import probability

    if item["section"] == "aptitude":
        if persona.manner == "clicks":
            return 1
        facet = next(f for f, families in FACETS.items() if item["family"] in families)
        theta = persona.can[("numerical", "abstract", "verbal").index(facet)]
        if rng.random() < probability(theta, item["a"], item["b"], item["c"]):
            return int(item["key"])
        wrong = [o["value"] for o in item["options"] if o["value"] != item["key"]]
        return int(rng.choice([*wrong, 0, 0]))
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


FACETS: dict[str, list[str]] = {}


def send_through(
    persona: Persona, service: Service, backend: PartnerBackend, items: Mapping[str, Any]
) -> Outcome:
    """Let a student take the whole assessment; return what came out."""
    from tests.support.backend import Applicant

    rng = random.Random(f"student {persona.number}")
    applicant = Applicant("Asha Rao", f"student{persona.number}@example.com", "+919876543210")
    phone = Phone()
    phone.open(backend.redirect_url(applicant))
    phone.send(consent="yes")
    while phone.kind != "result":
        if phone.kind == "section":
            phone.send(begin="yes")
            continue
        asked = service.rows(
            "SELECT i.code, n.position, n.id FROM assessments_answer n"
            " JOIN assessments_item i ON i.id = n.item_id"
            " JOIN assessments_assessment a ON a.id = n.assessment_id"
            " JOIN assessments_student s ON s.id = a.student_id"
            " WHERE s.email = %s AND n.choice IS NULL ORDER BY n.position",
            (applicant.email,),
        )
        take_time(service, persona, [items[row["code"]] for row in asked], asked)
        answers = [choice(persona, items[row["code"]], rng) for row in asked]
        phone.send(**dict(zip(phone.controls, map(str, answers), strict=True)))
    [record] = backend.assessments(applicant.email)
    [row] = service.rows(
        "SELECT a.profile, a.recommendations FROM assessments_assessment a"
        " JOIN assessments_student s ON s.id = a.student_id WHERE s.email = %s",
        (applicant.email,),
    )
    chosen = loaded(row["recommendations"])
    assert record["Recommendations"] == [course["name"] for course in chosen]
    return Outcome(
        persona,
        record["Status"],
        tuple(course["code"] for course in chosen),
        loaded(row["profile"]),
        tuple(chosen),
        unescape(phone.page),
    )


def take_time(
    service: Service, persona: Persona, asked: list[Mapping[str, Any]], rows: list[dict[str, Any]]
) -> None:
    """Move the time at which the page was shown back, as if the student had read it."""
    seconds = sum(SECONDS[item["section"]] for item in asked)
    if persona.manner == "clicks":
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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {
            "MODE": "test",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{folder}/unused.sqlite3",
            "TESTS_STATIC_ROOT": str(folder / "static"),
        }
        from assessments.banks import VERSION
        from tests.support.backend import PartnerBackend
        from tests.support.server import Service

        bank = json.loads((ROOT / "assessments" / "banks" / f"{VERSION}.json").read_bytes())
        FACETS.update(bank["facets"])
        items = {item["code"]: item for item in bank["items"]}
        service = Service("sqlite", folder)
        try:
            service.prepare()
            service.manage("load_items", "--make-current")
            service.start()
            courses = str(ROOT / "assessments" / "demo" / "courses.csv")
            onboarded = service.manage(
                "onboard_partner", "Bench", "--project", "Students", "--courses", courses, "--json"
            )
            backend = PartnerBackend.from_onboarding(service.url, onboarded)
            outcomes = [send_through(persona, service, backend, items) for persona in PERSONAS]
        finally:
            service.close()
    for outcome in outcomes:
        show(outcome, as_json=arguments.json)
    met = [not outcome.complaints() for outcome in outcomes]
    print(f"{sum(met)} of {len(met)} as expected", file=sys.stderr)
    return 0 if all(met) else 1


def show(outcome: Outcome, *, as_json: bool) -> None:
    """Print what was expected and what came out, the reasons included."""
    persona, complaints = outcome.persona, outcome.complaints()
    if as_json:
        told = {"number": persona.number, "courses": outcome.courses, "complaints": complaints}
        print(json.dumps(told | {"profile": outcome.profile}))
        return
    print(f"{'ok  ' if not complaints else 'MISS'} {persona.number:2} {persona.who}")
    expected = f"{persona.least} of {', '.join(persona.expected)}" if persona.expected else "-"
    print(f"        expected: {expected}; not {', '.join(persona.not_expected) or '-'}")
    print(f"        came out: {', '.join(outcome.courses)}")
    aptitude = outcome.profile["aptitude"]
    print(f"        aptitude: { {f: round(v['theta'], 2) for f, v in aptitude.items()} }")
    for complaint in complaints:
        print(f"        {complaint}")


if __name__ == "__main__":
    sys.exit(main())
