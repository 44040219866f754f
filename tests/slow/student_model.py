"""What must stand, and be answered, after whatever students do: the rules in plain Python.

It knows no Django and no database, and nothing of how the service keeps its rules. What a browser
is answered is a status, and the page's name or, of a redirect, the place it leads to.
"""

from __future__ import annotations

from dataclasses import dataclass, field

# Two pages of statements, one chosen by them, four puzzles, a last page of statements.
PUZZLES = range(19, 23)
PAGES = (range(1, 7), range(7, 13), range(13, 19), *(range(n, n + 1) for n in PUZZLES))
PAGES += (range(23, 27),)
SECTIONS_BEGIN = (1, 13, 19, 23)
STAGE_1, STAGE_2 = range(1, 13), 13
LAST_PAGE, TOTAL = 23, 26
# In hours: a link from its issue, an attempt and its result from the start.
START_BY, FINISH_BY, RESULT_UNTIL = 72, 24, 24 + 7 * 24
ASKED_FOR, KEPT = 24, 4  # hours after an end, attempts in a browser

# What a landing page offers to continue, and how often it had moved.
NOTHING = None, 0
NOT_HERE = 403, "error-403"
NOT_FOUND = 404, "error-404"
REFUSED = 409, "error-409"
UNAVAILABLE = 410, "link-unavailable"


def see(attempt, place=""):
    """Return the redirect to a place behind the attempt's address; none is where it stands."""
    return 303, (attempt, f"/{place}" if place else "")


def page_of(position):
    return next(page for page in PAGES if position in page)


@dataclass(eq=False)
class Attempt:
    """`holder` is the browser, and the link by which it came, that the attempt runs in.

    `number` is that of the link that started it. `continuations` counts the further links; `hidden`
    are the positions answered before another browser took over. `ended` counts hours since the end,
    `idle` those since the start or the last change of an answer, and `touched` orders these.
    """

    student: int
    number: int
    holder: tuple[int, Link]
    age: int = 0
    ended: int = 0
    idle: int = 0
    touched: int = 0
    shown: int = 0
    choices: dict[int, int] = field(default_factory=dict)
    end: str = ""
    continuations: int = 0
    hidden: frozenset[int] = frozenset()

    @property
    def is_open(self):
        return not self.end and self.age < FINISH_BY

    @property
    def since_end(self):
        return self.ended if self.end else self.age - FINISH_BY

    @property
    def resumes_at(self):
        """The page of the first question without an answer, or the section page before it."""
        waiting = [place for place in range(1, self.shown + 1) if place not in self.choices]
        return page_of(min([*waiting, self.shown + 1, TOTAL]))[0]

    def visible(self, position):
        """Return the positions on the page of a position that its browser may see."""
        places = page_of(position)
        return [place for place in places if place <= self.shown and place not in self.hidden]

    def show(self, first):
        """Put the page that begins here before the student, unless that was done."""
        self.shown = max(self.shown, page_of(first)[-1])


@dataclass(eq=False)
class Link:
    student: int
    number: int = 0
    age: int = 0
    attempt: Attempt | None = None

    @property
    def is_unused(self):
        return self.attempt is None and self.age < START_BY


@dataclass
class Model:
    """All links and attempts; by browser and attempt, the cookie that it has."""

    links: list[Link] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    cookies: dict[tuple[int, Attempt], tuple[int, Link]] = field(default_factory=dict)
    steps: int = 0

    def issue(self, student, number=0):
        self.links.append(Link(student, number))
        return self.links[-1]

    def pass_time(self, student, hours):
        for thing in (*self.links, *self.attempts):
            thing.age += hours if thing.student == student else 0
        for attempt in self.attempts:
            if attempt.student == student:
                attempt.idle += hours
                attempt.ended += hours if attempt.end else 0

    def touch(self, attempt):
        self.steps += 1
        attempt.idle, attempt.touched = 0, self.steps

    def results(self, student):
        """Return what the partner is told: the ended attempts, the newest first."""
        return [
            (attempt, "Completed" if attempt.end == "completed" else "Abandoned")
            for attempt in reversed(self.attempts)
            if attempt.student == student and not attempt.is_open
        ]

    def is_held(self, browser, attempt):
        """Whether the browser's cookie of an attempt opens it."""
        return self.cookies.get((browser, attempt)) == attempt.holder

    def held(self, browser):
        """Return the attempts that the browser's cookies open, the newest first."""
        return [each for each in reversed(self.attempts) if self.is_held(browser, each)]

    def offered(self, browser, link):
        """Return the attempt that a link continues: the browser's own, else of the same number."""
        for own in self.held(browser):
            if own.student == link.student and own.is_open:
                return own
        open_ones = [each for each in reversed(self.attempts) if each.is_open]
        theirs = link.student, link.number
        return next((each for each in open_ones if (each.student, each.number) == theirs), None)

    # From the link to the first page.

    def open_link(self, browser, link):
        """Answer the link itself, which uses nothing up."""
        if self._is_own(browser, link):
            return self._go_on(browser, link)
        return (200, "landing") if link.is_unused else UNAVAILABLE

    def start(self, browser, link, *, consent, choice, seen=NOTHING):
        """Use the link: it continues what the page offered, or begins a new attempt."""
        if self._is_own(browser, link):
            return self._go_on(browser, link)
        if not link.is_unused:
            return UNAVAILABLE
        if not consent:
            return 400, "landing"
        earlier = self.offered(browser, link)
        if seen != ((earlier, earlier.continuations) if earlier else NOTHING):
            return 409, "landing"
        is_held = earlier is not None and self.is_held(browser, earlier)
        if earlier and choice != "again":
            earlier.holder, link.attempt = (browser, link), earlier
            earlier.continuations += 1
            if not is_held:
                earlier.hidden = frozenset(earlier.choices)
        else:
            if earlier and is_held:
                earlier.end = "replaced"
            link.attempt = Attempt(link.student, link.number, (browser, link))
            self.touch(link.attempt)
            self.attempts.append(link.attempt)
        return self._go_on(browser, link)

    def _is_own(self, browser, link):
        attempt = link.attempt
        if attempt is None:
            return False
        return self.is_held(browser, attempt) or attempt.holder == (browser, link)

    def _go_on(self, browser, link):
        assert link.attempt
        if link.attempt.holder == (browser, link):
            self.cookies[browser, link.attempt] = (browser, link)
            self._make_room(browser, link.attempt)
        return self._where(link.attempt) or see(link.attempt)

    def _make_room(self, browser, attempt):
        """Delete cookies until four are left: of what ended first, of nothing touched lately."""
        others = [each for held_in, each in self.cookies if held_in == browser and each != attempt]
        if len(others) < KEPT:
            return

        def rank(other):
            if not self.is_held(browser, other):
                return False, float("-inf")
            return other.is_open, other.touched - 3600 * other.idle

        may_leave = [each for each in others if not self.is_held(browser, each) or each.idle]
        for each in sorted(may_leave, key=rank)[: len(others) - KEPT + 1]:
            del self.cookies[browser, each]

    def _where(self, attempt):
        if attempt.is_open:
            return see(attempt, attempt.resumes_at)
        return see(attempt, "result") if attempt.end == "completed" else None

    # Inside an attempt.

    def choose(self, browser):
        """Answer the address without a token or an attempt."""
        recent = [each for each in self.held(browser) if each.is_open or each.since_end < ASKED_FOR]
        attempts = [each for each in recent if each.is_open or each.end == "completed"]
        attempts = attempts or recent[:1]
        if not attempts:
            return NOT_HERE if any(b == browser for b, _ in self.cookies) else NOT_FOUND
        return (200, "choose") if len(attempts) > 1 else see(attempts[0])

    def resume(self, browser, attempt):
        if not self.is_held(browser, attempt):
            return NOT_HERE
        ended = (200, "left") if attempt.end == "left" else UNAVAILABLE
        return self._where(attempt) or ended

    def show(self, browser, attempt, position):
        if not self.is_held(browser, attempt):
            return NOT_HERE
        if not attempt.is_open:
            return see(attempt)
        if not 1 <= position <= TOTAL:
            return NOT_FOUND
        if position != page_of(position)[0]:
            return see(attempt, page_of(position)[0])
        if attempt.visible(position):
            return 200, "question"
        is_next = position > attempt.shown and position == attempt.resumes_at
        return (200, "section") if is_next else see(attempt, attempt.resumes_at)

    def begin(self, browser, attempt, position):
        if not self.is_held(browser, attempt):
            return NOT_HERE
        if not attempt.is_open:
            return REFUSED
        if position not in SECTIONS_BEGIN or len(attempt.choices) < position - 1:
            return see(attempt, attempt.resumes_at)
        attempt.show(position)
        return see(attempt, position)

    def answer(self, browser, attempt, position, given):
        """Answer the form of a question page: store, then show what follows or complete."""
        if not self.is_held(browser, attempt):
            return NOT_HERE
        page = page_of(position)
        if not attempt.is_open:
            visible = attempt.visible(position)
            is_same = all(given.get(place) == attempt.choices.get(place) for place in visible)
            is_done = attempt.end == "completed" and position == LAST_PAGE
            return see(attempt, "result") if is_done and is_same else REFUSED
        if not attempt.visible(position):
            return see(attempt, attempt.resumes_at)
        has_gap = any(
            place not in given and not self._stands(attempt, place)
            for place in attempt.visible(position)
        )
        for place, choice in given.items():
            if not self._stands(attempt, place) and attempt.choices.get(place) != choice:
                attempt.choices[place] = choice
                self.touch(attempt)
        if all(place in attempt.choices for place in page):
            if page[-1] == TOTAL:
                attempt.end = "completed"
            elif page[-1] + 1 not in SECTIONS_BEGIN:
                attempt.show(page[-1] + 1)
        if has_gap:
            return see(attempt, page[0])
        return see(attempt, "result" if page[-1] == TOTAL else page[-1] + 1)

    def _stands(self, attempt, position):
        """Of a puzzle the first choice stands, of stage 1 what stage 2 is chosen by."""
        is_final = position in PUZZLES or (position in STAGE_1 and attempt.shown >= STAGE_2)
        return (is_final and position in attempt.choices) or position in attempt.hidden

    def ask_to_leave(self, browser, attempt):
        if not self.is_held(browser, attempt):
            return NOT_HERE
        return (200, "leave") if attempt.is_open else see(attempt)

    def leave(self, browser, attempt):
        if not self.is_held(browser, attempt):
            return NOT_HERE
        if attempt.end == "completed":
            return REFUSED
        if attempt.is_open:
            attempt.end = "left"
        return see(attempt)

    def result(self, browser, attempt):
        if not self.is_held(browser, attempt):
            return NOT_HERE
        if attempt.end != "completed":
            return see(attempt)
        return (200, "result") if attempt.age < RESULT_UNTIL else UNAVAILABLE
