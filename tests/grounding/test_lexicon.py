"""Whether a thing may be called so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.grounding.lexicon import means

RIGHT = """
telly: television        couch: sofa           cell phone: mobile phone   post box: mailbox    pram: stroller
animal: dog              vehicle: bicycle      fruit: lemon               seat: stool          tool: screwdriver
plant: potted plant      note: sticky note     milk: milk carton          parcel: package
rucksack: backpack       nappy: diaper         container: cup             dustbin: trash can   plants: potted plant
"""
WRONG = """
cat: dog                 dog: animal           toolbox: box               box: toolbox         chair: wheelchair
duck: toy duck           dog: hot dog          pencil: pencil case        coffee: coffee cup   orange: orange juice
table: game console      pen: pencil           key: keyboard              bear: teddy bear
"""


def pairs(table: str) -> list[tuple[str, ...]]:
    cells = [cell for line in table.split("\n") for cell in line.split("  ") if cell.strip()]
    return [tuple(part.strip() for part in cell.split(":")) for cell in cells]


@pytest.mark.parametrize(("name", "label"), pairs(RIGHT))
def test_a_thing_may_be_called_by_another_word_for_it_or_for_its_kind(name: str, label: str) -> None:
    assert means(name, label)


@pytest.mark.parametrize(("name", "label"), pairs(WRONG))
def test_what_is_only_like_it_or_sounds_like_it_is_something_else(name: str, label: str) -> None:
    assert not means(name, label)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_may_be_asked_about(name: str, label: str) -> None:
    assert means(name, label) in (True, False)
    assert means(label, label) or not any(c.isalnum() for c in label)
