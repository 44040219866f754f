import re
from collections import Counter
from itertools import combinations

import pytest

from lab.generators.field_words import FIELD_NAMES
from lab.generators.interest_statements import interest_statements
from lab.generators.items import LANGUAGES
from measurement.course_names import FIELD_CHOICES
from measurement.fields import FIELDS
from measurement.scales import INTERESTS

# Words that say too little for two statements to be alike by them.
COMMON = {"a", "an", "the", "of", "in", "on", "to", "for", "with", "that", "your", "you", "how"}
COMMON |= {"i", "like", "is", "it", "my", "when", "have", "at", "own", "school", "old", "make"}
COMMON |= {"find", "out", "why", "work", "write", "down"}

STATEMENTS = interest_statements()
STAGE_1 = [each for each in STATEMENTS if each.stage == 1]
STAGE_2 = [each for each in STATEMENTS if each.stage == 2]


def by_code(statement):
    return statement.code


def test_stage_1_asks_six_of_each_type_in_rows_of_one_of_each():
    assert [each.type for each in STAGE_1] == [*INTERESTS] * 6


def test_stage_1_touches_every_field_twice():
    touched = Counter(field for each in STAGE_1 for field in each.fields)

    assert touched.keys() == FIELDS.keys()
    assert min(touched.values()) == 2
    assert {len(each.fields) for each in STAGE_1} == {1, 2, 3}


def test_stage_2_asks_two_more_of_each_field_and_of_that_field_alone():
    assert [each.fields for each in STAGE_2] == [(field,) for field in [*FIELDS] * 2]
    assert {each.type for each in STAGE_2} == {""}


def test_every_field_has_a_type_and_a_name():
    assert {len(types) for types in FIELDS.values()} == {1, 2}
    assert {type_ for types in FIELDS.values() for type_ in types} == set(INTERESTS)
    assert list(FIELD_NAMES) == list(FIELDS)
    assert all(tuple(name) == LANGUAGES for name in FIELD_NAMES.values())
    for language in LANGUAGES:
        assert len({name[language] for name in FIELD_NAMES.values()}) == len(FIELDS)


def test_no_two_statements_share_most_of_their_words():
    words = {
        each.code: set(re.findall(r"\w+", each.text["en"].lower())) - COMMON for each in STATEMENTS
    }

    alike = [
        (one, other)
        for one, other in combinations(words, 2)
        if len(words[one] & words[other]) > 0.4 * min(len(words[one]), len(words[other]))
    ]

    assert alike == []


@pytest.mark.parametrize("statement", STATEMENTS, ids=by_code)
def test_a_statement_is_one_activity(statement):
    english, hindi = statement.text["en"], statement.text["hi"]

    assert not re.search(r"\b(and|or)\b", english)
    assert re.match(r"[A-Z].*[^.]$", english)
    assert hindi.endswith("ना")
    assert " और " not in hindi


def test_realistic_statements_come_from_more_than_the_workshop():
    text = " ".join(each.text["en"] for each in STAGE_1 if each.type == "realistic")

    for place in ("kitchen", "vegetables", "workshop", "lab", "phone", "science fair"):
        assert place in text


def test_editors_and_students_read_the_same_names_of_fields():
    names = {code: choice.name.lower() for code, choice in FIELD_CHOICES.items()}

    assert names == {code: words["en"] for code, words in FIELD_NAMES.items()}
