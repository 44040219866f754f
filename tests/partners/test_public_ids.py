from __future__ import annotations

import re

from partners.public_ids import new_public_id


def test_it_is_a_prefix_and_16_letters_and_digits() -> None:
    public_id = new_public_id("prj")

    assert re.fullmatch(r"prj_[A-Za-z0-9]{16}", public_id)
