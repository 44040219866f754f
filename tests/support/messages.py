"""Write docs/messages.md: every text that students read except the puzzles, in both languages.

    python -m tests.support.messages

The texts come from the translation catalogue, the words of measurement and the shipped item bank.
A test compares the written file with them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import polib

from assessments.banks import SHIPPED
from assessments.measurement import advice_wording, reason_wording, wording

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "locale" / "hi" / "LC_MESSAGES" / "django.po"
WRITTEN = ROOT / "docs" / "messages.md"

INTRODUCTION = """\
# Messages

For a translator or reviewer: every text that students read, in both languages, except the 360
puzzles. `python -m tests.support.messages` generates this page; [languages](languages.md) says
where to change a text. `%(…)s` and `{…}` are placeholders for a name or a number.
"""

# The pages in the order of an attempt, and the files with their texts.
PAGES: dict[str, tuple[str, ...]] = {
    "On every page": ("templates/base.html",),
    "The landing page": (
        "templates/student/landing.html",
        "templates/student/_languages.html",
        "templates/student/_age.html",
        "assessments/student/link_views.py",
    ),
    "Errors in a form": ("templates/student/_errors.html", "assessments/student/forms.py"),
    "Before a section": ("templates/student/section.html", "templates/student/_example.html"),
    "Questions": (
        "templates/student/question.html",
        "templates/student/_question.html",
        "templates/student/_progress.html",
        "templates/student/_where.html",
        "templates/student/_leave.html",
    ),
    "Leaving": ("templates/student/leave.html", "templates/student/left.html"),
    "The result": (
        "templates/student/result.html",
        "templates/student/_courses.html",
        "templates/student/_other_subjects.html",
        "templates/student/_about_you.html",
        "templates/student/compare.html",
        "templates/student/_return.html",
        "assessments/student/courses.py",
        "assessments/student/result_views.py",
        "assessments/student/report.py",
    ),
    "A link that can't be started": (
        "templates/student/link_unavailable.html",
        "templates/student/_link_reason.html",
    ),
    "Refusals of an attempt or a link": ("assessments/student/pages.py",),
    "Refused forms": ("config/error_pages.py", "templates/error.html"),
    "Failed requests": ("config/errors.py",),
}

# The titles of the words of measurement.
WORDS: dict[str, str] = {
    "INTEREST_WORDS": "Interests: title, meaning, name in a sentence",
    "BAND_WORDS": "Bands of aptitude",
    "PREFERENCE_WORDS": "Sides of the study preferences",
    "STUDY_ADVICE": "Study advice for everybody",
    "LEANING_ADVICE": "Study advice for a preference",
    "REASON_WORDS": "Reasons for a course, and points to consider",
    "SKILL_WORDS": "Words in reasons: puzzles, work, preparation",
    "ALL_PUZZLES_WORDS": "Words in reasons: all puzzles",
    "AMOUNT_WORDS": "Words in reasons: how much of a course",
    "USE_WORDS": "Words in reasons: how often a course uses it",
    "PAGE_NOTE_WORDS": "Notes about the whole list",
    "COURSE_NOTE_WORDS": "Notes about a course",
    "ENTRY_LEVEL_WORDS": "Entry levels",
    "STREAMS_SENTENCE": "Usual subjects: the sentence, and the separator",
    "REQUIRED_STREAMS_SENTENCE": "Required subjects: the sentence, and the separator",
    "STREAM_ANSWER_WORDS": "Subjects",
}

Pair = tuple[str, str]


def main() -> None:
    WRITTEN.write_text(page(), encoding="utf-8")
    print(f"{WRITTEN.relative_to(ROOT)} is written.", file=sys.stderr)


def page() -> str:
    """Return the whole of docs/messages.md."""
    parts = [
        INTRODUCTION,
        *_tables("Pages", _interface()),
        *_tables("Texts of the result", _words()),
        *_tables("The item bank", _bank()),
    ]
    return "\n".join(parts)


def _interface() -> Iterator[tuple[str, list[Pair]]]:
    """Yield the texts of each page. A text on several pages appears under the first."""
    waiting = list(polib.pofile(CATALOGUE))
    for title, files in [*PAGES.items(), ("Other texts", None)]:
        here = [entry for entry in waiting if files is None or _files(entry) & set(files)]
        waiting = [entry for entry in waiting if entry not in here]
        yield title, [pair for entry in here for pair in _forms(entry)]


def _files(entry: polib.POEntry) -> set[str]:
    return {file for file, _line in entry.occurrences}


def _forms(entry: polib.POEntry) -> Iterator[Pair]:
    """Yield the English and the Hindi of a text; two pairs if it depends on a number."""
    if not entry.msgid_plural:
        yield entry.msgid, entry.msgstr
    else:
        english = (entry.msgid, entry.msgid_plural)
        yield from zip_longest(english, entry.msgstr_plural.values(), fillvalue="")


def _words() -> Iterator[tuple[str, list[Pair]]]:
    tables = {**vars(wording), **vars(advice_wording), **vars(reason_wording)}
    for name, title in WORDS.items():
        pairs = _beside(tables[name]["en"], tables[name].get("hi"))
        yield title, list(dict.fromkeys(pairs))  # points about all puzzles share sentences


def _bank() -> Iterator[tuple[str, list[Pair]]]:
    bank = json.loads(SHIPPED.read_bytes())
    yield (
        "Sections: title and introduction",
        list(
            _texts([{"title": part["title"], "intro": part["intro"]} for part in bank["sections"]])
        ),
    )
    yield "Answers", list(_texts([bank["answers"], bank["dont_know"]]))
    for section in ("interests", "fields", "preferences"):
        statements = [item["text"] for item in bank["items"] if item["section"] == section]
        yield f"Statements: {section}", list(_texts(statements))
    yield "Worked examples", list(_texts([part.get("examples") for part in bank["sections"]]))


def _beside(english: Any, hindi: Any) -> Iterator[Pair]:
    """Yield each text of a table of words with its Hindi text."""
    if isinstance(english, str):
        if english or hindi:
            yield english, hindi or ""
    elif isinstance(english, Mapping):
        for code, inner in english.items():
            yield from _beside(inner, (hindi or {}).get(code))
    elif is_dataclass(english):
        for field in fields(english):
            yield from _beside(getattr(english, field.name), getattr(hindi, field.name, None))
    else:
        for inner, other in zip_longest(english, hindi or ()):
            yield from _beside(inner, other)


def _texts(content: Any) -> Iterator[Pair]:
    """Yield the texts of a part of a bank file, each once, except those without words."""
    said = [pair for pair in _all_texts(content) if pair[0] != pair[1]]
    yield from dict.fromkeys(said)


def _all_texts(content: Any) -> Iterator[Pair]:
    if isinstance(content, Mapping) and "en" in content:
        yield from _beside(content["en"], content.get("hi"))
    elif isinstance(content, Mapping | list):
        for inner in content.values() if isinstance(content, Mapping) else content:
            yield from _all_texts(inner)


def _tables(title: str, groups: Iterator[tuple[str, list[Pair]]]) -> Iterator[str]:
    yield f"## {title}\n"
    for heading, pairs in groups:
        if pairs:
            rows = [f"| {_cell(english)} | {_cell(hindi)} |" for english, hindi in pairs]
            yield f"### {heading}\n"
            yield "\n".join(["| English | Hindi |", "|---|---|", *rows]) + "\n"


def _cell(text: str) -> str:
    marks = {"|": r"\|", "<": "&lt;", "\n": " ", "*": r"\*"}
    return text.translate(str.maketrans(marks)).strip()


if __name__ == "__main__":
    main()
