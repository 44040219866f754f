"""The pages that a student meets when something goes wrong, or is done differently."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from bench.pages.attempt import Ground, Row, Visitor

FIRST_PUZZLE = 51


def around(ground: Ground) -> list[Row]:
    """Go through what can go wrong in one attempt, and look at each page."""
    visitor = Visitor(ground)
    student, page = visitor.student, visitor.page
    start = urlsplit(visitor.link)._replace(query="").geturl()
    rows: list[Row] = []

    def look(name: str, action: Callable[[], object], who: Visitor = visitor) -> None:
        who.go(action)
        rows.append(who.row(name, None, look=True))

    look("link unknown", lambda: page.goto(f"{start}?token={'a' * 43}"))
    look("not in this browser", lambda: page.goto(start))
    set_consent_mode(ground, "ask")
    look("landing, asks age", lambda: page.goto(visitor.link))
    look("landing, with errors", visitor.begin)
    set_consent_mode(ground, "obtained")

    visitor.go(lambda: page.goto(visitor.link))
    student.consent()
    visitor.go(visitor.begin)
    visitor.go(visitor.begin)
    look("question, with errors", visitor.begin)
    student.choose()
    student.lose_network()
    visitor.begin()
    page.get_by_role("status").filter(has_text=re.compile(r"\S")).wait_for()
    rows.append(visitor.row("question, waiting", None, look=True))
    visitor.go(student.regain_network)
    student.choose()
    student.context.add_cookies([{"name": "csrftoken", "value": "a" * 32, "url": page.url}])
    look("form expired", visitor.begin)
    visitor.go(visitor.begin)

    student.go_to_question(FIRST_PUZZLE)
    puzzle = page.url
    student.answer()
    look("puzzle, answered before", lambda: page.goto(puzzle))

    other = Visitor(ground)
    look("link used elsewhere", lambda: other.page.goto(visitor.link), other)
    fresh = ground.backend.redirect_url(visitor.applicant)
    look("landing, continue", lambda: other.page.goto(fresh), other)
    other.student.context.close()

    visitor.go(lambda: page.goto(start))
    student.choose()
    behind = student.context.new_page()
    behind.goto(f"{start}/leave")
    with behind.expect_event("load"):
        behind.locator("main form button").click()
    look("attempt has ended", visitor.begin)
    look("left", lambda: page.goto(start))
    student.context.close()
    return rows


def set_consent_mode(ground: Ground, mode: str) -> None:
    ground.service.rows(
        "UPDATE partners_project SET consent_mode = %s WHERE project_id = %s RETURNING id",
        (mode, ground.backend.project_id),
    )
