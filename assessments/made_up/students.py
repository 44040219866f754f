"""How made-up students answer: those of magic addresses, the demo and previews of pages."""

import random
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from assessments.models import AssessmentLink, Item, ItemBank
from assessments.models.links import Age
from measurement.ability import probability
from measurement.bank import Bank
from measurement.courses import OTHER_STREAM
from measurement.scales import INTERESTS
from measurement.validity import AnsweredItem

Choose = Callable[[Item], int]


class Scenario(NamedTuple):
    """How an attempt goes; `share` is the share of its questions that is answered.

    A careful student `likes` these fields, or those of two random types.
    """

    lasts: timedelta = timedelta(minutes=25)
    is_careful: bool = True
    share: float = 1
    is_left: bool = False
    likes: Sequence[str] = ()


SCENARIOS = {
    "completed": Scenario(),
    "abandoned": Scenario(share=1 / 2, is_left=True),
    "inprogress": Scenario(share=1 / 2),
    "loweffort": Scenario(lasts=timedelta(minutes=2), is_careful=False),
}


def careful(bank: Bank, draw: random.Random, fields: Sequence[str] = ()) -> Choose:
    """Return a function that answers as a careful student who likes the first field most."""
    ability, types = draw.gauss(0, 1), set(draw.sample(INTERESTS, 2))
    liked = set(fields) or types | {name for name, of in bank.fields.items() if types & set(of)}

    def choose(item: Item) -> int:
        if item.is_aptitude:
            parameters = bank.aptitude[item.code]
            right = probability(ability, parameters.a, parameters.b, parameters.c)
            return item.key if item.key is not None and draw.random() < right else 0
        if "expected" in item.content:
            return int(item.content["expected"])
        statement = bank.statements.get(item.code)
        about = {item.scale, *(statement.fields if statement and fields else ())}
        most = 2 if liked.isdisjoint(about) else 5
        return most - draw.randint(0, about.isdisjoint(fields[:1]))

    return choose


def careless(item: Item) -> int:
    """Answer all statements alike, and every puzzle with “I don't know”."""
    return 0 if item.is_aptitude else 3


def take(link: AssessmentLink, scenario: Scenario, began: datetime, language: str = "en") -> None:
    """Start an attempt with a link and answer its pages evenly over the time that it lasts.

    Calls the methods that students' pages call.
    """
    attempt = link.start(
        secrets.token_hex(32),
        language=language,
        start="again",  # an open attempt of an earlier link goes on
        age=Age(is_minor=False),
        at=began,
    )
    bank = attempt.cached_bank
    # With likings the answers are the same every time.
    draw = random.Random(" ".join(scenario.likes) or None)  # noqa: S311  made up, no secret
    choose = careful(bank.scoring, draw, scenario.likes) if scenario.is_careful else careless
    last = int(bank.layout.total * scenario.share)

    def time_at(position: int) -> datetime:
        return began + scenario.lasts * min(1, position / last)

    if attempt.asks_stream(attempt.read_answers()):
        attempt.choose_stream(OTHER_STREAM, began)
    position: int | None = 1
    while position is not None and position <= last:
        if position == bank.layout.section_at(position).first:
            attempt.begin_section(position, time_at(position - 1))
        page = attempt.read_answers().page(position)
        choices = {each.position: choose(each.item) for each in page}
        position = attempt.record(position, choices, time_at(page[-1].position)).next_position
    if scenario.is_left:
        attempt.abandon(time_at(last))


def answer_all(bank: ItemBank, choose: Choose, seed: str) -> list[AnsweredItem]:
    """Return the answers to a whole attempt in order, in the usual time. Writes no rows."""
    given: list[AnsweredItem] = []
    choices: dict[str, int | None] = {}
    for section in bank.layout.sections:
        fields = bank.leading_fields(choices) if section.code == Item.Section.FIELDS else []
        for position in range(section.first, section.last + 1, section.per_page):
            page = bank.items_of_page(
                section, position, choices, exposure={}, seed=seed, fields=fields
            )
            for item in page.values():
                choices[item.code] = choice = choose(item)
                given.append(AnsweredItem(item.code, choice, section.seconds / section.total))
    return given
