"""Students, a partner and staff who act in any order, held against tests/slow/student_model.

After every step all rows must be as the model has them, whatever was answered as it says, and the
invariants of tests/support/invariants.py hold. A run ends in a rollback: it leaves no row behind.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.factories import ProjectFactory
from tests.slow.student_model import NOTHING, Attempt, Link, Model, Reply, Seen
from tests.slow.student_partner import ModelPartner
from tests.slow.student_rows import Rows
from tests.support.browser import Browser, Page

# Two browsers of two tabs each: tab 3 is the second one of the second browser.
BROWSERS, TABS = range(2), range(4)
# In hours: no sum of them comes near to a clock's end.
DAYS = {"a day": 25, "three days": 73}
ACTS = (*["issue"] * 4, "results", "results", "revoke", "rotate", *DAYS)

students, tabs = st.integers(0, 1), st.sampled_from(TABS)
rarely = st.sampled_from([False, False, False, True])
places = st.sampled_from(["", "/result", "/leave", "/leave", "/leave"])
positions = st.integers(0, 20).map("/{}".format)
# By place on the page, which questions are left out; mostly none.
gaps = st.sampled_from([(), (), (), (0,), (1, 2), (3, 4, 5)])


def questionnaire(bank: Mapping[str, Any]) -> dict[str, Any]:
    """Return the small bank with as few questions as the model knows."""
    given = {"interests": 12, "fields": 6, "aptitude": 4, "preferences": 4}
    sections = [section | {"items_given": given[section["code"]]} for section in bank["sections"]]
    return {**bank, "version": "2026.1-model", "sections": sections}


@dataclass(frozen=True)
class Shown:
    """A page in a tab, with the link or the attempt that it was of when it was shown."""

    page: Page
    link: Link | None = None
    attempt: Attempt | None = None
    position: int = 0


@dataclass(frozen=True)
class Sent:
    """A form as it was sent."""

    shown: Shown
    fields: dict[str, str]


class StudentMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._transaction = transaction.atomic()
        self._transaction.__enter__()
        project = ProjectFactory.create()
        self.address = f"/{project.project_id}/assessment"
        self.model, self.rows = Model(), Rows(project)
        self.partner = ModelPartner(project, self.model, self.rows)
        self.browsers = [Browser() for _ in BROWSERS]
        self.history: list[list[Shown]] = [[] for _ in TABS]
        self.sent: list[Sent | None] = [None for _ in TABS]

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._transaction.__exit__(None, None, None)

    @invariant()
    def rows_are_as_the_model_has_them(self) -> None:
        secrets = [browser.cookies.get("csrftoken", "") for browser in self.browsers]
        self.rows.check(self.model, secrets)

    @initialize()
    def begin(self) -> None:
        """Spare each run the first steps: two links of one student, one of another."""
        for student in (0, 1, 0):
            self.partner.issue(student)
        self.open(tab=0, number=0, is_any=False)

    @rule(act=st.sampled_from(ACTS), student=students, is_other=rarely, is_stale=rarely)
    def act_outside(self, act: str, student: int, is_other: bool, is_stale: bool) -> None:
        """Let the partner call, maybe with a token that ended; staff act; or time pass."""
        if act == "issue":
            self.partner.issue(student, number=is_other, is_stale=is_stale)
        elif act == "results":
            self.partner.results(student, is_stale=is_stale)
        elif act == "revoke":
            self.partner.revoke()
        elif act == "rotate":
            self.partner.rotate()
        else:
            self.model.pass_time(student, DAYS[act])
            self.rows.pass_time(student, DAYS[act])

    @rule(tab=tabs, number=st.integers(0, 11), is_any=rarely)
    def open(self, tab: int, number: int, is_any: bool) -> None:
        """Open a link in a tab, mostly one that nobody has used; 0 is the newest."""
        unused = [link for link in self.model.links if link.is_unused and not is_any]
        links = unused or self.model.links
        link = links[-1 - number % len(links)]
        page = self._browser(tab).get(f"{self.address}?token={self.rows.tokens[link]}")
        self._arrive(tab, "open", page, self.model.open_link(tab // 2, link), Shown(page, link))

    @rule(data=st.data(), place=places | positions, is_any=rarely)
    def visit(self, data: st.DataObject, place: str, is_any: bool) -> None:
        """Type an address behind the project's assessment, mostly where an attempt is open."""
        inside = [tab for tab in TABS if self.model.in_browser(tab // 2) and not is_any]
        self._go_to(data.draw(st.sampled_from(inside or TABS)), place)

    @precondition(lambda self: any(self._forms(tab) for tab in TABS))
    @rule(data=st.data(), shift=st.integers(0, 5), gap=gaps, is_agreed=rarely.map(operator.not_))
    def press(self, data: st.DataObject, shift: int, gap: tuple[int, ...], is_agreed: bool) -> None:
        """Fill a form of a tab and send it: its newest, or one of a page that was there before.

        So there are more tabs than four: each page that a student has seen may still be open.
        """
        tab = data.draw(st.sampled_from([tab for tab in TABS if self._forms(tab)]))
        pages = self._forms(tab)
        if data.draw(rarely):
            name = data.draw(st.sampled_from(sorted({shown.page.name for shown in pages})))
            pages = [shown for shown in pages if shown.page.name == name]
            pages = pages[: data.draw(st.integers(1, len(pages)))]
        shown = pages[-1]
        buttons = [each for each in shown.page.form.buttons if each.get("name")]
        fields = {}
        if shown.page.name == "question":
            fields = filled(shown.page, shift, gap)
        elif buttons:
            button = buttons[shift % len(buttons)]
            fields = {button["name"]: button["value"]}
        if shown.page.name == "landing" and is_agreed:
            fields["consent"] = "yes"
        self._send(tab, Sent(shown, shown.page.form.filled | fields))

    @precondition(lambda self: self._tabs_inside())
    @rule(data=st.data(), pages=st.integers(2, 9), shift=st.integers(0, 5))
    def hurry(self, data: st.DataObject, pages: int, shift: int) -> None:
        """Answer several pages, one after the other, maybe to the end of the attempt."""
        tab = data.draw(st.sampled_from(self._tabs_inside()))
        for _ in range(pages):
            shown = self.history[tab][-1]
            if shown.page.name == "section":
                self._send(tab, Sent(shown, shown.page.form.filled | {"begin": "yes"}))
            elif shown.page.name == "question":
                fields = shown.page.form.filled | filled(shown.page, shift, ())
                self._send(tab, Sent(shown, fields))

    @precondition(lambda self: any(self.sent))
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        """Send the last form of a tab once more, as after a time-out."""
        tab = data.draw(st.sampled_from([tab for tab in TABS if self.sent[tab]]))
        sent = self.sent[tab]
        assert sent
        self._send(tab, sent)

    @precondition(lambda self: any(self.history))
    @rule(data=st.data(), is_back=st.booleans())
    def turn(self, data: st.DataObject, is_back: bool) -> None:
        """Go back to the page before, as it was, or show a page in the browser's other tab too."""
        tab = data.draw(st.sampled_from([tab for tab in TABS if self.history[tab]]))
        if not is_back:
            self.history[tab ^ 1].append(self.history[tab][-1])
        elif len(self.history[tab]) > 1:
            self.history[tab].pop()

    def _browser(self, tab: int) -> Browser:
        return self.browsers[tab // 2]

    def _forms(self, tab: int) -> list[Shown]:
        """Return the pages with a form that a tab has shown. The model has no removed courses."""
        pages = self.history[tab]
        return [shown for shown in pages if shown.page.forms and shown.page.name != "result"]

    def _tabs_inside(self) -> list[int]:
        """Return the tabs that show a page of questions, or the one before it."""
        pages = {tab: self.history[tab][-1].page for tab in TABS if self.history[tab]}
        return [tab for tab, page in pages.items() if page.name in {"section", "question"}]

    def _go_to(self, tab: int, place: str) -> None:
        page = self._browser(tab).get(f"{self.address}{place}")
        position = int(place[1:]) if place[1:].isdigit() else 0
        shown = Shown(page, None, self.model.in_browser(tab // 2), position)
        what = f"visit {'question' if position else place}".strip()
        self._arrive(tab, what, page, self._expected(tab, place), shown)

    def _send(self, tab: int, sent: Sent) -> None:
        """Send a form from a tab, and go where the answer leads."""
        shown, self.sent[tab] = sent.shown, sent
        page = self._browser(tab).post(shown.page.form.action, sent.fields)
        name, expected = self._expected_of(tab // 2, sent)
        after = Shown(page, shown.link, shown.attempt, shown.position)
        self._arrive(tab, name, page, expected, after)

    def _expected_of(self, browser: int, sent: Sent) -> tuple[str, Reply]:
        """Return what was sent, in a word or two, and what the model answers."""
        name, fields, attempt = sent.shown.page.name, sent.fields, sent.shown.attempt
        if name == "landing":
            assert sent.shown.link
            choice, consent = fields.get("start", ""), "consent" in fields
            seen = self._seen(fields)
            link = sent.shown.link
            reply = self.model.start(browser, link, consent=consent, choice=choice, seen=seen)
            return f"start {choice}".strip(), reply
        assert attempt
        if name == "section":
            return name, self.model.begin(browser, attempt, sent.shown.position)
        if name == "leave":
            return name, self.model.leave(browser, attempt)
        return name, self.model.answer(browser, attempt, sent.shown.position, given_in(sent))

    def _seen(self, fields: Mapping[str, str]) -> Seen:
        """Return the attempt that a landing page offered."""
        named = {name: attempt for attempt, name in self.rows.names.items()}
        return (named[fields["attempt"]], int(fields["moves"])) if "attempt" in fields else NOTHING

    def _expected(self, tab: int, place: str) -> Reply:
        """Return what the model answers to an address."""
        if place[1:].isdigit():
            return self.model.show(tab // 2, int(place[1:]))
        ask = {
            "": self.model.resume,
            "/result": self.model.result,
            "/leave": self.model.ask_to_leave,
        }
        return ask[place](tab // 2)

    def _arrive(self, tab: int, what: str, page: Page, expected: Reply, shown: Shown) -> None:
        """Compare an answer with what the model says; follow a redirect, else show the page."""
        place = page.location.removeprefix(self.address) if page.status == 303 else page.name
        assert (page.status, place) == expected, f"{what} was answered {page.status} {place}"
        if page.status == 303:
            self._go_to(tab, place)
        else:
            self.history[tab].append(shown)


def filled(page: Page, shift: int, gap: tuple[int, ...]) -> dict[str, str]:
    """Return a choice for each question of a page, but for those in the gap."""
    offered = {name: page.form.offered(name) for name in page.form.questions}
    return {
        name: values[(place + shift) % len(values)]
        for place, (name, values) in enumerate(offered.items())
        if place not in gap
    }


def given_in(sent: Sent) -> dict[int, int]:
    """Return the choices in a form of questions, by position."""
    return {
        int(name.partition("-")[2] or sent.shown.position): int(sent.fields[name])
        for name in sent.shown.page.form.questions
        if name in sent.fields
    }
