"""Where pointers lead, by their form."""

from __future__ import annotations

import pytest

from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.meaning.pointers import MOST_CELLS, leads_nowhere, offsets, strays, targets
from unfork.engine.state.memory import address_of
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol

P, INDEX, ANY = symbol("p", 1), symbol("index", 64), symbol("any", 64)
MOVED = build.add(address_of(3, 8), build.mul(INDEX, 4, 64), 64)
EITHER = build.ite(P, address_of(3, 8), address_of(4), 64)


def test_a_pointer_leads_to_an_object_and_an_offset() -> None:
    assert list(targets(address_of(3, 8))) == [(1, 3, 8)]
    assert list(targets(address_of(3, -8))) == [(1, 3, (1 << 64) - 8)]
    [(guard, number, offset)] = targets(MOVED)
    assert (guard, number, evaluate(offset, Model({INDEX: 5}))) == (1, 3, 28)


def test_a_choice_leads_to_each_under_its_guard() -> None:
    found = {number: (evaluate(guard, Model({P: 1})), offset) for guard, number, offset in targets(EITHER)}
    assert found == {3: (1, 8), 4: (0, 0)}


@pytest.mark.parametrize(
    ("address", "unknown", "nowhere"),
    [
        (address_of(3), 0, False),
        (MOVED, 0, False),
        (EITHER, 0, False),
        (0, 0, True),
        (ANY, 1, True),
        (build.ite(P, address_of(3), 0, 64), 0, True),
        (build.ite(P, address_of(3), ANY, 64), build.negate(P), True),
    ],
)
def test_pointers_that_lead_to_no_known_object(address: Value, unknown: Value, nowhere: bool) -> None:
    assert strays(address) == unknown
    assert leads_nowhere(address) == nowhere


def test_the_offsets_that_an_access_may_have() -> None:
    assert list(offsets(8, 12)) == [8]
    assert list(offsets(16, 12)) == []
    assert list(offsets(build.add(build.mul(INDEX, 4, 64), 2, 64), 12)) == [2, 6, 10]
    with pytest.raises(NoMeaning, match="an array of more than"):
        list(offsets(INDEX, MOST_CELLS + 1))
