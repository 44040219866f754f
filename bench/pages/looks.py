"""Find faults in a page's look: axe-core, contrast, small targets, width."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bench.pages.served import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

# axe-core's rules
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
LEAST_TARGET = 24  # CSS pixels, WCAG 2.5.8
LEAST_ANSWER = 44
Scheme = Literal["light", "dark"]
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKS = {
    f"{size} {scheme}": (scheme, viewport)
    for size, viewport in (("phone", PHONE), ("desktop", DESKTOP))
    for scheme in SCHEMES
}

# A control inside its label is as large as the label. Hidden controls are not targets.
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
# axe-core does not know the background of text in a drawing, so use the box around it.
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


@dataclass(frozen=True)
class Fault:
    """A fault of a page: its kind, and its description and place."""

    kind: str
    words: str


def faults_of(page: Page, axe: str) -> Iterator[Fault]:
    """Check a page on a phone and a desktop, in light and dark. `axe` is axe-core's source."""
    page.evaluate(axe)
    for look, (scheme, viewport) in LOOKS.items():
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # The bar with Continue covers what scrolls under it; at the end of a page, nothing does.
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        # the scheme changes only colours
        rules = ["color-contrast"] if scheme == "dark" else []
        results = page.evaluate(RUN_AXE, [TAGS, rules])
        for result in results["violations"]:
            kind = "contrast" if result["id"] == "color-contrast" else "violation"
            yield Fault(kind, f"{look}: {result['id']} at {json.dumps(result['at'])}")
        for result in results["unsure"]:
            yield Fault("unsure", f"{look}: unsure of {result['id']} at {json.dumps(result['at'])}")
        for words in page.evaluate(DIM_WORDS):
            yield Fault("contrast", f"{look}: {words}")
        if not rules:
            small = page.evaluate(SMALL_TARGETS, {"target": LEAST_TARGET, "answer": LEAST_ANSWER})
            for needed, words, width, height in small:
                yield Fault(f"under {needed} px", f"{look}: {words!r} is {width} x {height} px")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                yield Fault("too wide", f"{look}: wider than the screen")
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
