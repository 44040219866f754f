"""Verbal logic in Hindi: it says what the English says, and leads to the same key alone."""

import re
from itertools import permutations, product
from unicodedata import is_normalized

import pytest

from lab.generators import logic
from lab.generators.items import LANGUAGES
from lab.generators.logic.scenes import sentence
from lab.generators.logic.words import NUMBERS, WORDS
from lab.tests.generators.logic_hindi import answers_in_hindi
from lab.tests.generators.logic_solver import answers
from lab.tests.generators.sixty import share_right, sixty
from lab.tests.generators.test_logic import labels, lengths, shared_words

ITEMS = sixty(logic)
MORE = sixty(logic, first_seed=500)
FORMS = [(scene, words) for language in LANGUAGES for scene, words in WORDS[language].items()]
DEVANAGARI = re.compile(r"[\u0900-\u0964 ,:?0-9-]+")


def content(draft, language="hi"):
    return " ".join(draft.passage[language]), draft.text[language], labels(draft, language)


@pytest.mark.parametrize("rule", logic.RULES)
def test_exactly_the_key_follows_from_the_hindi(rule):
    for draft in (ITEMS + MORE).of_rule(rule):
        assert answers_in_hindi(*content(draft)) == [draft.key], draft


@pytest.mark.parametrize("reading", ["not empty", "not all", "converse"])
def test_both_languages_lead_to_the_same_in_every_reading(reading):
    for draft in ITEMS + MORE:
        expected = answers(*content(draft, "en"), reading)

        assert answers_in_hindi(*content(draft), reading) == expected, draft


def test_a_wrong_key_and_a_second_one_are_detected_in_hindi():
    told = "एक बैग में बहुत-से कार्ड हैं। सभी गोल कार्ड नीले हैं। सभी नीले कार्ड फटे हैं।"
    options = [
        "सभी गोल कार्ड फटे हैं।",
        "सभी फटे कार्ड गोल हैं।",
        "कम से कम एक फटा कार्ड गोल है।",
        "कम से कम एक नीला कार्ड गोल नहीं है।",
    ]

    assert answers_in_hindi(told, "इनमें से कौन-सी बात ज़रूर सच है?", options) == [1]
    assert answers_in_hindi(told, "इनमें से कौन-सी बात ज़रूर सच है?", options, "not empty") == [1, 3]


def test_the_solver_reads_only_if_and_unless_one_way():
    ask = "इनमें से कौन-सी बात ज़रूर सच है?"
    begun = "एक मशीन के बारे में ये सब बातें सच हैं।"
    only_if = f"{begun} ढक्कन सिर्फ़ तभी बंद है, जब ट्रे भरी हो।"
    unless = f"{begun} ढक्कन तब तक बंद नहीं है, जब तक ट्रे भरी न हो।"
    shut, not_shut = "ढक्कन बंद है।", "ढक्कन बंद नहीं है।"

    for rule in (only_if, unless):
        assert answers_in_hindi(f"{rule} ट्रे भरी नहीं है।", ask, [shut, not_shut]) == [2]
        assert answers_in_hindi(f"{rule} ट्रे भरी है।", ask, [shut, not_shut]) == []


def test_the_example_has_the_same_answer_in_hindi():
    shown = logic.EXAMPLE
    options = [option["label"]["hi"] for option in shown["options"]]

    told = " ".join(shown["passage"]["hi"])
    (answer,) = answers_in_hindi(told, shown["text"]["hi"], options)

    assert options[answer - 1] == shown["answer"]["hi"]
    assert told not in {content(draft)[0] for draft in ITEMS}


def said_in_hindi():
    """All that any item may say."""
    for words in WORDS["hi"].values():
        yield words.intro.format(count=NUMBERS["hi"][4])
        yield from words.questions.values()
        for says, about in statements(words):
            yield sentence(words.sentences[says], *(words.things[thing] for thing in about))


def test_hindi_is_in_devanagari_with_nothing_left_to_fill_in():
    for each in said_in_hindi():
        assert DEVANAGARI.fullmatch(each), each
        assert is_normalized("NFC", each), each


def statements(scene):
    """Every sentence of a scene about every choice of its things."""
    for says, template in scene.sentences.items():
        count = len(set(re.findall(r"\{(\d)", template)))
        for about in permutations(range(len(scene.things)), count):
            yield says, about


@pytest.mark.parametrize(("scene", "words"), FORMS, ids=lambda value: str(value)[:12])
def test_no_two_meanings_are_said_alike(scene, words):
    meant = {}
    for says, about in statements(words):
        template = words.sentences[says]
        said = sentence(template, *(words.things[thing] for thing in about))
        # What lies between two things also lies between the second and the first.
        meaning = (says, (about[0], *sorted(about[1:])) if says == "between" else about)

        assert meant.setdefault(said, meaning) == meaning, said
    questions = list(words.questions.values())
    assert len(set(questions)) == len(questions)


@pytest.mark.parametrize("scene", WORDS["en"])
def test_a_sentence_has_the_same_places_in_the_same_order(scene):
    for says in WORDS["en"][scene].sentences:
        places = [
            list(dict.fromkeys(re.findall(r"\{(\d)", WORDS[code][scene].sentences[says])))
            for code in LANGUAGES
        ]
        assert all(each == places[0] for each in places), says
    assert all(
        ("{count}" in WORDS[code][scene].intro) is ("{count}" in WORDS["en"][scene].intro)
        for code in LANGUAGES
    )
    assert all(NUMBERS[code].keys() == NUMBERS["en"].keys() for code in LANGUAGES)


def test_what_is_denied_differs_in_the_denial_alone():
    for scene, words in WORDS["hi"].items():
        for says, template in words.sentences.items():
            if says.startswith("not_"):
                assert template.replace("नहीं ", "") == words.sentences[says[4:]], (scene, says)
        if "if" in words.sentences:
            for fact, opposite in zip(words.things[::2], words.things[1::2], strict=True):
                assert str(opposite).replace("नहीं ", "") == str(fact)


def counts(draft, language):
    return [len(label.split()) for label in labels(draft, language)]


def denials(draft, language):
    return ["नहीं" in label for label in labels(draft, language)]


@pytest.mark.parametrize(
    ("tell", "sign"), [*product([shared_words, lengths, counts], [1, -1]), (denials, 1)]
)
def test_the_key_is_not_given_away_in_hindi(tell, sign):
    figures = ([sign * figure for figure in tell(draft, "hi")] for draft in ITEMS)
    assert share_right(zip(figures, (draft.key for draft in ITEMS), strict=True)) <= 0.25
