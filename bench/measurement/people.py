"""Send people through the running service, on the bank that ranks by fields.

    python -m bench.measurement.people [--read]

Each gets a link from the partner's operation, opens it and answers every page. Prints every list as
a row of the table in docs/people.md, with must-haves in **bold** and must-nots in *italics*. Exit
status 1 if a target is missed.

The people are the rows of personas.csv. `loves` (5), `likes` (4), `neutral` (3), `dislikes` (2) and
`hates` (1) name statements by code without `int-`; all others get `usual`. `numerical`, `abstract`
and `verbal` are the true abilities (0 = the middle, in SDs), `stream` the subjects of class 11-12
as the catalogue names them. At least one of `must_have` belongs among the first three courses, none
of `must_not` among the five. Courses are those of the demo's catalogue.

The first sixteen were written after the statements and their fields (lab.generators) and before
the method that ranks courses by them. The next ten use the scale in unusual ways, or have subjects
that close many courses; their writer had seen statements and courses, but no field and no method.
The author of the last ten knew the method.
Don't change any of them to fit an outcome.

The students of students.csv are for a reader to judge, with --read: it prints who each is and the
text of the result page. They may think of courses, and have no due or wrong ones.
"""

import argparse
import csv
import html
import random
import re
import sys
from pathlib import Path

from bench.measurement.sittings import BANK, SHIPPED_BANK
from bench.stack import Stack
from lab.figures import at_least, exactly, exit_status
from measurement.ability import probability
from tests.support.clients import Client, Gate, RemoteBrowser
from tests.support.ledger import Ledger

ANSWERS = ("hates", "dislikes", "neutral", "likes", "loves")
ITEMS = {item["code"]: item for item in SHIPPED_BANK["items"]}
FIRST = 3
LEAST_WITH_A_MUST_HAVE = 33 / 36
# Of a question, as the student reads it.
SECONDS = {"interests": 5.0, "fields": 5.0, "preferences": 6.0, "aptitude": 35.0}


def personas(name="personas"):
    """Read the people. Raises KeyError if one answers a statement that does not exist."""
    with Path(__file__).with_name(f"{name}.csv").open(encoding="utf-8", newline="") as file:
        people = list(csv.DictReader(file))
    for row in people:
        row["answers"] = {
            f"int-{name}": n for n, each in enumerate(ANSWERS, 1) for name in row[each].split()
        }
        if unknown := row["answers"].keys() - ITEMS.keys():
            raise KeyError(f"No such statement: {unknown}")
    return people


def figures():
    """Start a service, let everybody take an attempt and print the courses of each."""
    met, wrong = [], 0
    with Stack() as stack:
        service, partner = stack.shipped()
        for persona in personas():
            courses, _ = take_attempt(persona, service, partner)
            due, not_due = (persona[name].split() for name in ("must_have", "must_not"))
            marks = dict.fromkeys(due, "**") | dict.fromkeys(not_due, "*")
            listed = ", ".join(f"{marks.get(c, '')}{c}{marks.get(c, '')}" for c in courses)
            cells = persona["number"], persona["who"], ", ".join(due), ", ".join(not_due), listed
            print(f"| {' | '.join(cells)} |")
            met.append(bool(set(due) & set(courses[:FIRST])))
            wrong += len(set(not_due) & set(courses))
    share = sum(met) / len(met)
    yield at_least("people with a must-have among the first three", share, LEAST_WITH_A_MUST_HAVE)
    yield exactly("must-nots in any five", wrong, 0)


def read():
    """Print the result page of each student as text."""
    with Stack() as stack:
        service, partner = stack.shipped()
        for persona in personas("students"):
            _, page = take_attempt(persona, service, partner)
            print(f"\n=== {persona['number']}. {persona['who']} ({persona['stream']})")
            main = page.text.partition("<main")[2].partition("</main>")[0].partition(">")[2]
            text = html.unescape(re.sub(r"<[^>]+>", "\n", main))
            print("\n".join(line.strip() for line in text.splitlines() if line.strip()))


def take_attempt(persona, service, partner):
    """Take the whole assessment; return the codes of the recommended courses and the result."""
    rng = random.Random(f"persona {persona['number']}")
    email = f"persona{persona['number']}@example.com"
    browser = RemoteBrowser(Client(Gate(service.port), Ledger()))
    start = browser.start(partner.link(browser.client, email))
    page = browser.answer_subjects(start, persona["stream"])
    while page.name != "result":
        if page.name == "ideas" and persona.get("thinks_of"):
            offered = page.form.offered("course")
            named = [code for code in persona["thinks_of"].split() if code in offered]
            page = browser.press(page, {"course": named})
            continue
        if page.name in {"section", "ideas"}:
            page = browser.go_on(page)
            continue
        asked = service.rows(
            "SELECT i.code, n.id FROM assessments_answer n"
            " JOIN assessments_item i ON i.id = n.item_id"
            " JOIN assessments_attempt a ON a.id = n.attempt_id"
            " JOIN assessments_student s ON s.id = a.student_id"
            " WHERE s.email = %s AND n.choice IS NULL ORDER BY n.position",
            (email,),
        )
        shown = [ITEMS[row["code"]] for row in asked]
        # As if the student had read the page.
        service.rows(
            "UPDATE assessments_answer SET shown_at = shown_at - make_interval(secs => %s)"
            " WHERE id = ANY(%s)",
            (sum(SECONDS[item["section"]] for item in shown), [row["id"] for row in asked]),
        )
        answers = [str(choose(persona, item, rng)) for item in shown]
        page = browser.press(page, dict(zip(page.form.questions, answers, strict=True)))
    [record] = partner.results(browser.client, email)
    [row] = service.rows(
        "SELECT a.recommendations FROM assessments_attempt a"
        " JOIN assessments_student s ON s.id = a.student_id WHERE s.email = %s",
        (email,),
    )
    assert record["Status"] == "Completed"
    assert record["Recommendations"] == [course["name"] for course in row["recommendations"]]
    return [course["code"] for course in row["recommendations"]], page


def choose(persona, item, rng):
    """Return the value that this person chooses; of a puzzle's, by the response model."""
    if item["section"] == "preferences":
        return 3
    if item["section"] != "aptitude":
        return item.get("expected") or persona["answers"].get(item["code"], int(persona["usual"]))
    facet = next(f for f, families in BANK.facets.items() if item["family"] in families)
    if rng.random() < probability(float(persona[facet]), item["a"], item["b"], item["c"]):
        return item["key"]
    wrong = [o["value"] for o in item["options"] if o["value"] != item["key"]]
    return rng.choice([*wrong, 0, 0])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--read", action="store_true", help="print the results of students.csv")
    sys.exit(read() if parser.parse_args().read else exit_status(figures()))
