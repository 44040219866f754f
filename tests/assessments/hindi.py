"""Hindi in tests: a bank that has it, and an eye for English that was left on a page."""

import re
from html.parser import HTMLParser

# A Devanagari letter for each Latin one: nothing that a person can read, but no two words alike.
LETTERS = {chr(ord("a") + place): chr(0x0915 + place) for place in range(26)}
# Two letters or more, one of them small: rows of capitals belong to puzzles, in Hindi as well.
WORD = re.compile(r"[A-Za-z’']*[a-z][A-Za-z’']*")
# Addresses, and what a program made up: the number of a request.
NO_WORD = re.compile(r"\S+@\S+|https?://\S+|\b\w*\d\w*\b")
SPOKEN = ("aria-label", "alt", "title", "placeholder")
# What is called so in Hindi too, and the link to the English page.
NAMES = {"Chrome", "Safari", "English"}


def as_hindi(text):
    """Return the text with its words in Devanagari letters; digits and capitals stay."""

    def spelled(word):
        return "".join(LETTERS.get(letter, "") for letter in word[0].lower())

    return WORD.sub(spelled, text)


def with_hindi(content):
    """Return a bank's content with a made-up Hindi text beside each English one."""
    if isinstance(content, list):
        return [with_hindi(each) for each in content]
    if not isinstance(content, dict):
        return content
    if set(content) == {"en"}:
        english = content["en"]
        translated = (
            as_hindi(english) if isinstance(english, str) else [as_hindi(line) for line in english]
        )
        return {"en": english, "hi": translated}
    return {name: with_hindi(value) for name, value in content.items()}


class _Visible(HTMLParser):
    """The text of a page that is seen or read aloud."""

    def __init__(self):
        super().__init__()
        self.texts = []
        self._hidden = False

    def handle_starttag(self, tag, attrs):
        self._hidden = tag in {"style", "script"}
        self.texts += [
            value
            for name, value in attrs
            # a script's words have spaces, its switches have none
            if value and (name in SPOKEN or (name.startswith("data-") and " " in value))
        ]

    def handle_endtag(self, tag):
        self._hidden = False

    def handle_data(self, data):
        if not self._hidden:
            self.texts.append(data)


def english_on(html, *, allowed=()):
    """Return the English words that can be seen or heard on a page, each with its sentence."""
    page = _Visible()
    page.feed(html)
    return [
        f"{word!r} in {' '.join(text.split())!r}"
        for text in page.texts
        for word in WORD.findall(NO_WORD.sub("", text))
        if len(word) > 1 and word not in NAMES | set(allowed)
    ]


def language_of(page):
    """Return what the page says its language is; it must have nothing of the other one."""
    language = page.text.partition('<html lang="')[2][:2]
    if language == "hi":
        assert english_on(page.text, allowed={"College", "Asha"}) == []
    else:
        assert "।" not in page.text
    return language
