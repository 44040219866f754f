"""What is asked about the tables and charts: whole sentences for each language and theme.

Another language is a module beside these, and an entry below.
"""

from __future__ import annotations

from collections.abc import Mapping

from itemgen.data.kinds import Asked
from itemgen.data.questions import english, hindi

# By language; then by theme and question.
QUESTIONS: Mapping[str, Mapping[tuple[str, str], Asked]] = {
    "en": english.QUESTIONS,
    "hi": hindi.QUESTIONS,
}
