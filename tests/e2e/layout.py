"""What a browser measures of a page: what sticks out, is cut off, too small, or out of sight."""

MOST_STOPS = 60
# What sticks out of the window, outside a box of its own that scrolls.
OUTSIDE = """() => {
    const width = document.documentElement.clientWidth;
    const found = [...document.querySelectorAll("main *, header *, footer *")].filter(element => {
        const box = element.getBoundingClientRect();
        return box.width && (box.left < -1 || box.right > width + 1)
            && !element.parentElement.closest(".wide, figure, svg");
    }).map(element => element.outerHTML.slice(0, 90));
    const page = document.documentElement.scrollWidth;
    return page > width ? [`the page is ${page} wide`, ...found] : found;
}"""
# Text that its own box cuts off.
CUT = """() => [...document.querySelectorAll("main *")].filter(element =>
    getComputedStyle(element).overflowY !== "visible"
    && !element.matches("progress, .wide, figure, svg")
    && element.scrollHeight > element.clientHeight + 1
).map(element => element.outerHTML.slice(0, 90))"""
# The width and height of everything to be tapped, but for links within a sentence.
SMALL = """([wanted, least]) => [...document.querySelectorAll(wanted)].map(element => {
    const { width, height } = element.getBoundingClientRect();
    return [element.outerHTML.slice(0, 70), Math.round(width), Math.round(height)];
}).filter(([, width, height]) => width && (width < least || height < least))"""
# Where the focus is, whether something lies over it, and how thick its outline is.
FOCUS = """() => {
    const focused = document.activeElement;
    if (focused === document.body) return null;
    (window.visited ??= []).push(focused);
    const target = focused.closest("label") || focused;
    const { top, bottom, left, right } = target.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2,
        (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
    const thickness = ({ outlineStyle, outlineWidth }) =>
        outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
    return {
        name: target.outerHTML.slice(0, 70),
        isInView: bottom > 0 && top < innerHeight,
        isCovered: !over || !target.contains(over),
        outline: Math.max(...[focused, target].map(each => thickness(getComputedStyle(each)))),
    };
}"""

# What can be operated, follows where the focus was first, and never had it; of a group of radio
# buttons one is enough.
MISSED = """() => [...document.querySelectorAll("a[href], button, input, select, summary")]
    .filter(each => !each.disabled && each.type !== "hidden")
    .filter(each => each.checkVisibility({ visibilityProperty: true }))
    .filter(each => visited[0].compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING)
    .filter(each => !visited.some(other => other === each
        || (each.type === "radio" && other.name === each.name)))
    .map(each => each.outerHTML.slice(0, 90))"""


def focus_faults(page):
    """Press Tab through the page; return where the focus can't be seen, and what it never is on."""
    stops = []
    page.keyboard.press("Tab")
    while (stop := page.evaluate(FOCUS)) and len(stops) < MOST_STOPS:
        stops.append(stop)
        page.keyboard.press("Tab")
    hidden = [
        each for each in stops if not each["isInView"] or each["isCovered"] or each["outline"] < 2
    ]
    return [*hidden, *page.evaluate(MISSED)]
