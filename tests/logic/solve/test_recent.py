"""A table that forgets stays within its bound, keeps what is needed, and what answers with it answers as before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfork.logic.solve import byte_domains, chain
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.recent import Recent
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term_table import symbol

MOST = 8


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=200))
def test_the_latest_are_known_and_never_too_many(calls: list[tuple[bool, int]]) -> None:
    """Of what was set or found, the last half of the bound is there; nothing else ever comes out than was put in."""
    table, used = Recent[int, int](MOST), list[int]()
    for sets, key in calls:
        if sets:
            table[key] = 3 * key
        elif table.get(key) is None:
            assert key not in used[-MOST // 2 :]
            continue
        assert table.get(key) == 3 * key
        used = [*[other for other in used if other != key], key]
        assert len(table) <= MOST


COMPARISONS = st.lists(
    st.tuples(st.sampled_from(("ult", "eq", "sum")), st.integers(0, 2), st.integers(0, 2), st.integers(0, 12)),
    min_size=1,
    max_size=12,
)


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables so small that nearly everything is found out again."""
    monkeypatch.setattr(chain, "_CACHED", 2)
    monkeypatch.setattr(byte_domains, "_KNOWN", 2)


def feasible(asked: Chain, conditions: list[tuple[str, int, int, int]]) -> list[tuple[bool, bool]]:
    symbols = [symbol(f"recent{number}", 8) for number in range(3)]
    path, answers = PathCondition.EMPTY, list[tuple[bool, bool]]()
    for kind, first, second, constant in conditions:
        a, b = symbols[first], symbols[second]
        if kind == "ult":
            condition = build.ult(a, build.add(b, constant, 8), 8)
        elif kind == "eq":
            condition = build.eq(a, constant, 8)
        else:
            condition = build.ult(build.add(a, b, 8), constant, 8)
        yes, no = asked.branch(path, condition)
        answers.append((isinstance(yes, Unsat), isinstance(no, Unsat)))
        path = yes if isinstance(yes, PathCondition) else path
    return answers


@pytest.mark.usefixtures("forgetful")
def test_a_chain_that_forgets_at_once_answers_as_one_that_does_not() -> None:
    @given(COMPARISONS, COMPARISONS)
    def law(first: list[tuple[str, int, int, int]], second: list[tuple[str, int, int, int]]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(chain, "_CACHED", 1_000)
            patch.setattr(byte_domains, "_KNOWN", 1_000)
            remembers = Chain(BitwuzlaSolver())
        forgets = Chain(BitwuzlaSolver())
        for conditions in (first, second, first):
            assert feasible(forgets, conditions) == feasible(remembers, conditions)

    law()
