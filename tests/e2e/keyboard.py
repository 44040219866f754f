"""A student without a mouse or a finger: Tab, arrows, Space, Enter and the number keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.e2e.steady import SteadyStudent
from tests.e2e.test_layout import FOCUS, is_seen

MOST_STOPS = 40
FORWARD, BACKWARD = "Tab", "Shift+Tab"
# Where the focus is, what is there and how it looks; it is noted as visited.
STOP = f"""() => {{
    const look = ({FOCUS})();
    if (!look) return null;
    const control = document.activeElement;
    (window.visited ??= new Set()).add(control);
    const {{ localName: tag, type, name: field, value, checked }} = control;
    return {{ ...look, tag, type, field, value, checked }};
}}"""
# What can be operated and was not visited; of a group of radio buttons one is enough.
MISSED = """() => {
    const visited = [...(window.visited ?? [])];
    return [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
        .filter(each => !each.disabled && each.type !== "hidden" && each.checkVisibility())
        .filter(each => !visited.some(other => other === each
            || (each.type === "radio" && other.name === each.name)))
        .map(each => each.outerHTML.slice(0, 90));
}"""


class KeyboardStudent(SteadyStudent):
    """A student at a keyboard, who notes each place where the focus is lost or can't be seen."""

    def key(self, name: str) -> None:
        self.page.keyboard.press(name)

    def stop(self) -> dict[str, Any] | None:
        """Return where the focus is; None when it has left the page."""
        stop: dict[str, Any] | None = self.page.evaluate(STOP)
        if stop and not is_seen(stop):
            self.note(stop)
        return stop

    def tour(self, key: str = FORWARD, do: Callable[[dict[str, Any]], None] | None = None) -> None:
        """Press Tab until the focus leaves the page, and `do` something at each stop."""
        for _ in range(MOST_STOPS):
            self.key(key)
            stop = self.stop()
            if stop is None:
                return
            if do:
                do(stop)
        self.note(f"a trap: the focus is still on the page after {MOST_STOPS} times {key}")

    def go_to(self, wanted: str, key: str = BACKWARD) -> None:
        """Press Tab until the focus is on what a selector names."""
        for _ in range(MOST_STOPS):
            self.key(key)
            self.stop()
            if self.page.locator(f"{wanted}:focus").count():
                return
        raise AssertionError(f"{wanted} can't be reached on {self.page.url}")

    def enter(self, key: str = "Enter") -> None:
        """Press what has the focus and wait for the page that comes."""
        with self.page.expect_navigation() as navigation:
            self.key(key)
        self.status = navigation.value.status if navigation.value else 0

    def note_missed(self) -> None:
        """Note each control that was not reached since the page was loaded."""
        self.note(*(f"not reached: {each}" for each in self.page.evaluate(MISSED)))

    # --- what a page asks for

    def tick(self, value: object) -> None:
        """Choose an answer of the radio buttons that have the focus, by Space and arrows."""
        for _ in range(10):
            stop = self.stop()
            assert stop
            assert stop["type"] == "radio", stop
            if stop["checked"] and stop["value"] == str(value):
                return
            self.key("ArrowDown" if stop["checked"] else "Space")
        raise AssertionError(f"no arrow leads to {value}")

    def unfold(self, stop: dict[str, Any]) -> None:
        """Open what is folded up under the focus."""
        if stop["tag"] == "summary" and not self.page.locator("[open] > summary:focus").count():
            self.key("Enter")
            assert self.page.locator("[open] > summary:focus").count() == 1

    def fill_in(self, answers: dict[str, str]) -> None:
        """Fill in the landing page from its beginning, and press its button."""

        def at(stop: dict[str, Any]) -> None:
            self.unfold(stop)
            if stop["type"] == "radio":
                self.tick(answers[stop["field"]])
            elif stop["type"] == "checkbox":
                self.key("Space")
            elif stop["type"] == "text":
                self.page.keyboard.type(answers[stop["field"]])

        self.look()
        self.tour(do=at)
        self.note_missed()
        self.go_to("#start")
        self.enter()

    def answer(self) -> None:
        """Go through a whole page forwards, choosing on the way, and back to its button."""
        self.look()
        wanted = self.wanted() if self.kind == "question" else {}

        def at(stop: dict[str, Any]) -> None:
            self.unfold(stop)
            if stop["type"] == "radio":
                self.tick(wanted[stop["field"]])

        self.tour(do=at)
        self.note_missed()
        self.go_to("main form button")
        self.enter("Space" if self.kind == "section" else "Enter")

    def answer_by_numbers(self) -> None:
        """Choose by the number keys alone, and send the page by Enter."""
        self.look()
        order = "inputs => inputs.map(input => input.value)"
        for name, value in self.wanted().items():
            values = self.page.locator(f'input[name="{name}"]').evaluate_all(order)
            self.key(str(values.index(str(value)) + 1))
            stop = self.stop()
            assert stop
            assert (stop["field"], stop["value"], stop["checked"]) == (name, str(value), True)
        self.enter()

    def read_to_the_end(self) -> None:
        """Unfold all that is folded up, forwards, and go the whole way back."""
        self.look()
        self.tour(do=self.unfold)
        self.note_missed()
        self.tour(BACKWARD)
