"""Write docs/messages.md: everything that a student can read but the puzzles, in both languages.

    python bench/messages.py

The texts are taken from where they stand: the catalogue of the pages, the words of measurement
and the item bank that ships. A test holds the written file against them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

import polib

from assessments.banks import SHIPPED
from assessments.measurement import advice_wording, reason_wording, wording

CATALOGUE = ROOT / "locale" / "hi" / "LC_MESSAGES" / "django.po"
WRITTEN = ROOT / "docs" / "messages.md"

INTRODUCTION = """\
# Every message, in both languages

Written by `python bench/messages.py` from the places where the texts stand; change them there.
Everything that a student can read is here, but for the 360 puzzles, which are in the item bank.
`%(…)s` and `{…}` are places for a name or a number.
"""

# The pages, in the order in which a student meets them, and the files that their words stand in.
PAGES: dict[str, tuple[str, ...]] = {
    "On every page": ("templates/base.html",),
    "The page behind the link": (
        "templates/student/landing.html",
        "templates/student/_languages.html",
        "templates/student/_age.html",
        "assessments/student/link_views.py",
    ),
    "What is wrong in a form": ("templates/student/_errors.html", "assessments/student/forms.py"),
    "Before a part": ("templates/student/section.html", "templates/student/_example.html"),
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
        "templates/student/_return.html",
        "assessments/student/report.py",
    ),
    "A link that cannot be started": (
        "templates/student/link_unavailable.html",
        "templates/student/_link_reason.html",
    ),
    "What an attempt or a link refuses": ("assessments/student/pages.py",),
    "A form that was refused": ("config/error_pages.py", "templates/error.html"),
    "An address or a request that failed": ("config/errors.py",),
}

# What the words of measurement are called here.
WORDS: dict[str, str] = {
    "INTEREST_WORDS": "Interests: the title, what it is, and how a sentence names it",
    "FACET_WORDS": "Kinds of puzzles",
    "BAND_WORDS": "Bands of aptitude",
    "PREFERENCE_WORDS": "Ends of the study preferences",
    "STUDY_ADVICE": "Advice on studying, for everybody",
    "LEANING_ADVICE": "Advice on studying, for a liking",
    "REASON_WORDS": "Reasons for a course, and what to think about",
    "SKILL_WORDS": "Words in the reasons: the puzzles, the work, how to prepare",
    "AMOUNT_WORDS": "Words in the reasons: how much of a course",
    "USE_WORDS": "Words in the reasons: how often a course uses it",
    "LEVEL_WORDS": "Words in the reasons: what a course expects",
    "PAGE_NOTE_WORDS": "Notes about the whole list",
    "COURSE_NOTE_WORDS": "Notes about a course",
    "ENTRY_LEVEL_WORDS": "When a course can be started",
    "STREAMS_SENTENCE": "Usual subjects: the sentence, and what stands between two of them",
    "STREAM_WORDS": "Subjects",
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
        *_tables("Words of the result", _words()),
        *_tables("The item bank", _bank()),
    ]
    return "\n".join(parts)


def _interface() -> Iterator[tuple[str, list[Pair]]]:
    """Yield the texts of each page; what several pages say stands under the first of them."""
    waiting = list(polib.pofile(CATALOGUE))
    for title, files in [*PAGES.items(), ("Elsewhere", None)]:
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
        yield title, list(_beside(tables[name]["en"], tables[name].get("hi")))


def _bank() -> Iterator[tuple[str, list[Pair]]]:
    bank = json.loads(SHIPPED.read_bytes())
    yield (
        "Parts: title and introduction",
        list(
            _texts([{"title": part["title"], "intro": part["intro"]} for part in bank["sections"]])
        ),
    )
    yield "Answers", list(_texts([bank["answers"], bank["dont_know"]]))
    for section, title in (("interests", "Interests"), ("preferences", "Study preferences")):
        statements = [item["text"] for item in bank["items"] if item["section"] == section]
        yield f"Statements: {title.lower()}", list(_texts(statements))
    yield "Worked examples", list(_texts([part.get("examples") for part in bank["sections"]]))


def _beside(english: Any, hindi: Any) -> Iterator[Pair]:
    """Yield each text of a table of words beside the one that stands in its place in Hindi."""
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
    """Yield the texts of a part of a bank file, each once, but those that are no words."""
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
