from __future__ import annotations

from assessments.measurement.bank import Bank
from assessments.measurement.scales import Norm
from tests.assessments.measurement.synthetic import FAMILIES, bank_file

DATA = bank_file()
BANK = Bank.from_json(DATA)


def test_a_bank_is_read_from_its_file() -> None:
    assert len(BANK.interests) == 48
    assert len(BANK.preferences) == 16
    assert len(BANK.aptitude) == 24
    assert BANK.norms["realistic"] == Norm(3.0, 0.9)
    assert BANK.family_targets() == dict.fromkeys(FAMILIES, 1 / 6)


def test_spare_and_instructed_statements_are_known_and_not_scored() -> None:
    assert BANK.spares == {"int-R-09"}
    assert BANK.instructed == {"int-check-1": 2, "int-check-2": 4}
    assert not BANK.interests.keys() & {"int-R-09", "int-check-1", "int-check-2"}
    assert {BANK.sections[code] for code in ("int-R-09", "int-check-1")} == {"interests"}


def test_a_spare_aptitude_item_is_neither_given_nor_scored() -> None:
    data = bank_file()
    [item] = [item for item in data["items"] if item["code"] == "apt-logic-00"]
    item["spare"] = True

    bank = Bank.from_json(data)

    assert "apt-logic-00" not in bank.aptitude
    assert bank.responses({"apt-logic-00": item["key"]}) == []


def test_clones_share_template_and_radicals_within_a_family() -> None:
    data = bank_file()
    series = [item for item in data["items"] if item.get("family") == "series"]
    series[1]["radicals"] = dict(series[0]["radicals"])

    items = Bank.from_json(data).aptitude

    assert items["apt-series-00"].clone == items["apt-series-01"].clone
    assert items["apt-series-00"].clone != items["apt-series-02"].clone
    assert items["apt-series-00"].clone != items["apt-patterns-00"].clone


def test_responses_come_in_the_order_of_codes_whatever_the_order_of_answers() -> None:
    codes = [*BANK.aptitude][::-1]

    responses = BANK.responses(dict.fromkeys([*codes, "int-R-01"], 1))

    assert [response.item.code for response in responses] == sorted(codes)
