"""The style sheet of the students' pages, where it says one thing twice."""

from django.conf import settings

STYLE = (settings.BASE_DIR / "static" / "student.css").read_text(encoding="utf-8")


def tokens(start):
    """Return the custom properties of the rule that follows this text, by name."""
    body = STYLE.partition(start)[2].partition("}")[0]
    set_here = (each.strip().partition(": ") for each in body.split(";"))
    return {name: value for name, _, value in set_here if name.startswith("--")}


def test_a_darkened_drawing_has_the_colours_of_the_page_in_both_schemes():
    light = tokens(":root {")
    dark = tokens("@media screen and (prefers-color-scheme: dark) {\n  :root {")
    names = ("--card", "--ink", "--edge", "--line", "--accent")

    assert tokens("(forced-colors: none) {\n    svg {") == {
        name: f"light-dark({light[name]}, {dark[name]})" for name in names
    }
