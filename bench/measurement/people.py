"""Send people through the running service, on the bank that ranks by fields.

    python -m bench.measurement.people [--read]

Prints every list of courses as a row of the table in docs/people.md, which says who wrote the
people. Don't change anybody to fit an outcome. In personas.csv, `loves` (5) to `hates` (1) name
statements by code without `int-`; all others get `usual`. `numerical`, `abstract` and `verbal` are
the true abilities (0 = the middle, in SDs). With --read, prints who each student of students.csv is
and the text of the result page.
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
LEAST_WITH_A_MUST_HAVE = 33 / 36
# Adds reading time to the open questions; no other student is answering.
READ_A_MINUTE = (
    "UPDATE assessments_answer SET shown_at = shown_at - interval '1 minute' WHERE choice IS NULL"
)
ASKED = (
    "SELECT i.code FROM assessments_answer n JOIN assessments_item i ON i.id = n.item_id"
    " WHERE n.choice IS NULL ORDER BY n.position"
)
NEWEST_LIST = "SELECT recommendations FROM assessments_attempt ORDER BY id DESC LIMIT 1"


def personas(name):
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


def attempts(name):
    """Start a service, let people take an attempt; yield each with its courses and result page."""
    with Stack() as stack:
        service, partner = stack.shipped()
        for persona in personas(name):
            yield persona, *take_attempt(persona, service, partner)


def figures():
    met, wrong = [], 0
    for persona, courses, _ in attempts("personas"):
        due, not_due = (persona[name].split() for name in ("must_have", "must_not"))
        marks = dict.fromkeys(due, "**") | dict.fromkeys(not_due, "*")
        listed = ", ".join(f"{marks.get(c, '')}{c}{marks.get(c, '')}" for c in courses)
        cells = persona["number"], persona["who"], ", ".join(due), ", ".join(not_due), listed
        print(f"| {' | '.join(cells)} |")
        met.append(bool(set(due) & set(courses[:3])))
        wrong += len(set(not_due) & set(courses))
    share = sum(met) / len(met)
    yield at_least("people with a must-have among the first three", share, LEAST_WITH_A_MUST_HAVE)
    yield exactly("must-nots in any five", wrong, 0)


def read():
    for persona, _, page in attempts("students"):
        print(f"\n=== {persona['number']}. {persona['who']} ({persona['stream']})")
        main = page.text.partition("<main")[2].partition("</main>")[0].partition(">")[2]
        text = html.unescape(re.sub(r"<[^>]+>", "\n", main))
        print("\n".join(line.strip() for line in text.splitlines() if line.strip()))


def take_attempt(persona, service, partner):
    """Take the whole assessment; return the codes of the recommended courses and the result."""
    rng = random.Random(f"persona {persona['number']}")
    browser = RemoteBrowser(Client(Gate(service.port), Ledger()))
    link = partner.link(browser.client, f"persona{persona['number']}@example.com")
    page = browser.answer_subjects(browser.start(link), persona["stream"])
    while page.name != "result":
        if page.name == "ideas" and persona.get("thinks_of"):
            offered = page.form.offered("course")
            named = [code for code in persona["thinks_of"].split() if code in offered]
            page = browser.press(page, {"course": named})
        elif page.name in {"section", "ideas"}:
            page = browser.go_on(page)
        else:
            service.rows(READ_A_MINUTE)
            shown = [ITEMS[row["code"]] for row in service.rows(ASKED)]
            answers = [str(choose(persona, item, rng)) for item in shown]
            page = browser.press(page, dict(zip(page.form.questions, answers, strict=True)))
    [row] = service.rows(NEWEST_LIST)
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
