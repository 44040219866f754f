"""Send twenty-six people through the running service, on the bank that ranks by fields.

    python -m bench.measurement.people

personas.py has the people, answer by answer, and the courses due to them. Each gets a link from the
partner's operation, opens it and answers every page. Prints every list as a row of the table in
docs/people.md, with must-haves in **bold** and must-nots in *italics*. Exit status 1 if a
target is missed.
"""

import json
import random
import sys

from assessments.banks import SHIPPED
from bench.measurement.personas import personas
from bench.stack import Stack
from lab.figures import at_least, exactly, exit_status
from measurement.ability import probability
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger

FIRST = 3
LEAST_WITH_A_MUST_HAVE = 0.9
# Of a question, as the student reads it.
SECONDS = {"interests": 5.0, "fields": 5.0, "preferences": 6.0, "aptitude": 35.0}


def main():
    people = personas()
    taken = outcomes(people)
    for persona, courses in zip(people, taken, strict=True):
        listed = ", ".join(marked(persona, code) for code in courses)
        due, wrong = ", ".join(persona.must_have), ", ".join(persona.must_not)
        print(f"| {persona.number} | {persona.who} | {due} | {wrong} | {listed} |")
    return exit_status(figures(people, taken))


def outcomes(people):
    """Start a service, let everybody take an attempt, and return the courses of each."""
    bank = json.loads(SHIPPED.read_bytes())
    with Stack() as stack:
        service = stack.service()
        service.manage("load_items", "--make-current")
        service.start()
        partner = Partner.onboarded(service.manage)
        return [take_attempt(persona, service, partner, bank) for persona in people]


def take_attempt(persona, service, partner, bank):
    """Take the whole assessment; return the codes of the recommended courses."""
    items = {item["code"]: item for item in bank["items"]}
    rng = random.Random(f"persona {persona.number}")
    email = f"persona{persona.number}@example.com"
    browser = RemoteBrowser(Client(Gate(service.port), Ledger()))
    start = browser.start(partner.link(browser.client, email))
    page = browser.answer_subjects(start, persona.stream)
    while page.name != "result":
        if page.name in {"section", "ideas"}:
            page = browser.go_on(page)
            continue
        asked = service.rows(
            "SELECT i.code, n.id FROM assessments_answer n"
            " JOIN assessments_item i ON i.id = n.item_id"
            " JOIN assessments_assessment a ON a.id = n.assessment_id"
            " JOIN assessments_student s ON s.id = a.student_id"
            " WHERE s.email = %s AND n.choice IS NULL ORDER BY n.position",
            (email,),
        )
        shown = [items[row["code"]] for row in asked]
        # As if the student had read the page.
        service.rows(
            "UPDATE assessments_answer SET shown_at = shown_at - make_interval(secs => %s)"
            " WHERE id = ANY(%s)",
            (sum(SECONDS[item["section"]] for item in shown), [row["id"] for row in asked]),
        )
        answers = [str(choose(persona, item, bank["facets"], rng)) for item in shown]
        page = browser.press(page, dict(zip(page.form.questions, answers, strict=True)))
    [record] = partner.results(browser.client, email)
    [row] = service.rows(
        "SELECT a.recommendations FROM assessments_assessment a"
        " JOIN assessments_student s ON s.id = a.student_id WHERE s.email = %s",
        (email,),
    )
    assert record["Status"] == "Completed"
    assert record["Recommendations"] == [course["name"] for course in row["recommendations"]]
    return [course["code"] for course in row["recommendations"]]


def choose(persona, item, facets, rng):
    """Return the value that this person chooses; of a puzzle's, by the response model."""
    if item["section"] == "preferences":
        return 3
    if item["section"] != "aptitude":
        return item.get("expected") or persona.answer(item["code"])
    facet = next(f for f, families in facets.items() if item["family"] in families)
    if rng.random() < probability(persona.can[facet], item["a"], item["b"], item["c"]):
        return item["key"]
    wrong = [o["value"] for o in item["options"] if o["value"] != item["key"]]
    return rng.choice([*wrong, 0, 0])


def marked(persona, code):
    if code in persona.must_have:
        return f"**{code}**"
    return f"*{code}*" if code in persona.must_not else code


def figures(people, taken):
    pairs = list(zip(people, taken, strict=True))
    met = [bool(set(persona.must_have) & set(each[:FIRST])) for persona, each in pairs]
    wrong = [code for persona, each in pairs for code in each if code in persona.must_not]
    share = sum(met) / len(met)
    yield at_least("people with a must-have among the first three", share, LEAST_WITH_A_MUST_HAVE)
    yield exactly("must-nots in any five", len(wrong), 0)


if __name__ == "__main__":
    sys.exit(main())
