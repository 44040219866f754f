"""The questions about tables and charts: complete sentences for each language and theme.

To add a language, add a module here and an entry below.
"""

from __future__ import annotations

from collections.abc import Mapping

from lab.generators.data.kinds import Asked
from lab.generators.data.questions import english, hindi

# By language, then by theme and question.
QUESTIONS: Mapping[str, Mapping[tuple[str, str], Asked]] = {
    "en": english.QUESTIONS,
    "hi": hindi.QUESTIONS,
}
