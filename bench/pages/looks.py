"""What bench/pages.py measures on a page: bytes and requests, axe-core, targets, the console."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, ConsoleMessage, Page, ViewportSize

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
LEAST_TARGET = 24  # CSS pixels, WCAG 2.5.8
LEAST_ANSWER = 44
Scheme = Literal["light", "dark"]
PHONE: ViewportSize = {"width": 360, "height": 640}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKS = {
    f"{size} {scheme}": (scheme, viewport)
    for size, viewport in (("phone", PHONE), ("desktop", DESKTOP))
    for scheme in SCHEMES
}

# A control that stands in its label is as large as the label. What is not shown is no target.
SMALL_TARGETS = """least => {
    const found = [];
    const shown = "a[href], button, summary, select, textarea, label:has(input), " +
        "input:not([type=hidden]):not(label input)";
    for (const target of document.querySelectorAll(shown)) {
        const { width, height } = target.getBoundingClientRect();
        const needed = target.matches(".answer") ? least.answer : least.target;
        if (!width || !height || target.matches(".skip")) continue;
        if (Math.min(width, height) < needed - 0.5)
            found.push([needed, target.innerText, Math.round(width), Math.round(height)]);
    }
    return found;
}"""
# axe-core cannot tell the ground of words in a drawing: here it is that of the box around it.
DIM_WORDS = """() => {
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => {
        const [r, g, b] = numbers(colour).map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const ground = element => {
        const colour = getComputedStyle(element).backgroundColor;
        const clear = numbers(colour)[3] === 0;
        return clear && element.parentElement ? ground(element.parentElement) : colour;
    };
    return [...document.querySelectorAll("svg text")].flatMap(words => {
        const [a, b] = [light(getComputedStyle(words).fill), light(ground(words))];
        const ratio = Math.max(a, b) / Math.min(a, b);
        return ratio < 4.5 ? [`${words.textContent} has a contrast of ${ratio.toFixed(2)}`] : [];
    });
}"""
RUN_AXE = """async ([tags, rules]) => {
    const runOnly = rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags };
    const found = await axe.run(document, { runOnly, resultTypes: ["violations", "incomplete"] });
    const told = results => results.map(({ id, nodes }) =>
        ({ id, at: nodes.map(node => String(node.target)).slice(0, 3), count: nodes.length }));
    const isDrawn = ({ target }) => document.querySelector(target[0]).closest("svg");
    const unsure = found.incomplete.map(({ id, nodes }) =>
        ({ id, nodes: id === "color-contrast" ? nodes.filter(node => !isDrawn(node)) : nodes }));
    const isLeft = ({ nodes }) => nodes.length;
    return { violations: told(found.violations), unsure: told(unsure.filter(isLeft)) };
}"""


@dataclass
class Faults:
    """What is wrong with a page, in all its looks together; `notes` say what and where."""

    violations: int = 0
    unsure: int = 0
    contrast: int = 0
    under_24: int = 0
    under_44: int = 0
    too_wide: int = 0
    notes: list[str] = field(default_factory=list)


class Wire:
    """Counts what a page costs, as chromium itself reports it: headers and bodies received.

    The `receipt` is the answer to the form that led here, a redirect or the script's few bytes.
    """

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._cached: set[str] = set()
        self._sent_by_script: set[str] = set()
        self.bytes = self.receipt = self.requests = 0
        self._session.on("Network.requestWillBeSent", self._sent)
        self._session.on("Network.requestServedFromCache", self._from_cache)
        self._session.on("Network.responseReceived", self._answered)
        self._session.on("Network.loadingFinished", self._finished)
        self._session.send("Network.enable")

    def start(self) -> None:
        """Begin a new page."""
        self.bytes = self.receipt = self.requests = 0

    def _sent(self, event: dict[str, Any]) -> None:
        if not event["request"]["url"].startswith("http"):
            return
        # a redirect is an answer of its own under the same id
        self.receipt += event.get("redirectResponse", {}).get("encodedDataLength", 0)
        self.requests += 1
        if event.get("type") == "Fetch":
            self._sent_by_script.add(event["requestId"])

    def _answered(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self._from_cache(event)

    def _from_cache(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._cached:
            self._cached.add(event["requestId"])
            self.requests -= 1

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._sent_by_script:
            self.receipt += int(event["encodedDataLength"])
        elif event["requestId"] not in self._cached:
            self.bytes += int(event["encodedDataLength"])


class Console:
    """Keeps what a page complains about.

    Chromium reports as a fault too that the network was away, and a page that is refused: those are
    meant here. What a page loads must be there.
    """

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        is_page = "/assessment" in urlsplit(str(message.location.get("url", ""))).path
        meant = message.text.startswith("Failed to load resource") and (
            is_page or "net::" in message.text
        )
        if message.type in {"error", "warning"} and not meant:
            self.errors.append(message.text)

    def taken(self) -> list[str]:
        errors, self.errors = self.errors, []
        return errors


def faults_of(page: Page, axe: str) -> Faults:
    """Look at a page as a phone and a desktop show it, in light and dark. `axe` is the source."""
    found = Faults()
    page.evaluate(axe)
    for look, (scheme, viewport) in LOOKS.items():
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # colours are all that the scheme changes
        rules = ["color-contrast"] if scheme == "dark" else []
        _judge(found, look, page.evaluate(RUN_AXE, [TAGS, rules]))
        for words in page.evaluate(DIM_WORDS):
            found.contrast += 1
            found.notes.append(f"{look}: {words}")
        if not rules:
            _measure(found, look, page)
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    return found


def _judge(found: Faults, look: str, results: dict[str, Any]) -> None:
    for result in results["violations"]:
        if result["id"] == "color-contrast":
            found.contrast += result["count"]
        else:
            found.violations += result["count"]
        found.notes.append(f"{look}: {result['id']} at {json.dumps(result['at'])}")
    for result in results["unsure"]:
        found.unsure += result["count"]
        found.notes.append(f"{look}: unsure of {result['id']} at {json.dumps(result['at'])}")


def _measure(found: Faults, look: str, page: Page) -> None:
    small = page.evaluate(SMALL_TARGETS, {"target": LEAST_TARGET, "answer": LEAST_ANSWER})
    for needed, words, width, height in small:
        found.under_24 += needed == LEAST_TARGET
        found.under_44 += needed == LEAST_ANSWER
        found.notes.append(f"{look}: {words!r} is {width} x {height} px")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.too_wide += 1
        found.notes.append(f"{look}: wider than the screen")
