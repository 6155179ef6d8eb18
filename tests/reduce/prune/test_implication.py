"""The numeric half of covering: counted out at small widths, and Anand06's Figure 4 with integers that wrap."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from tests.support.power import examples
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.prune.contract import ContainmentProof, Differ, Pair
from unfork.reduce.prune.implication import Implication

WIDTH = 3
FIRST = [symbol(name, WIDTH) for name in ("a", "b", "c")]
SECOND = [symbol(name, WIDTH) for name in ("a", "y", "z")]
"""One name is common to both paths, and means something else in each."""


def path_of(chain: Chain, conditions: Sequence[Value]) -> PathCondition | None:
    path = PathCondition.EMPTY
    for condition in conditions:
        extended = chain.assume(path, condition)
        if not isinstance(extended, PathCondition):
            return None
        path = extended
    return path


def models(symbols: Sequence[Term]) -> Iterator[Model]:
    for values in product(range(1 << WIDTH), repeat=len(symbols)):
        yield Model(dict(zip(symbols, values, strict=True)))


def states(path: PathCondition, symbols: Sequence[Term], values: Sequence[Value]) -> set[tuple[int, ...]]:
    """What the values are worth together, over all that the path allows."""
    conditions = path.constraints()
    return {
        tuple([evaluate(value, model) for value in values])
        for model in models(symbols)
        if all(evaluate(one, model) for one in conditions)
    }


def random_value(chance: random.Random, symbols: Sequence[Term]) -> Value:
    one, other = chance.choice(symbols), chance.choice(symbols)
    match chance.randrange(8):
        case 0:
            return chance.randrange(1 << WIDTH)
        case 1:
            return build.add(one, chance.randrange(1 << WIDTH), WIDTH)
        case 2:
            return build.add(one, other, WIDTH)
        case 3:
            return build.and_(one, 5, WIDTH)
        case 4:
            return build.xor(one, 3, WIDTH)
    return one


def random_condition(chance: random.Random, symbols: Sequence[Term]) -> Value:
    compare = chance.choice([build.ult, build.ule, build.slt, build.sle, build.eq, build.ne])
    other = chance.randrange(1 << WIDTH) if chance.random() < 0.4 else random_value(chance, symbols)
    return compare(random_value(chance, symbols), other, WIDTH)


def check_proof(proof: ContainmentProof, path: PathCondition, other: PathCondition, pairs: Sequence[Pair]) -> None:
    """The proof's own words: its obligations hold on the path, and one of its substitutions always fits."""
    for model in models(FIRST):
        if not all(evaluate(one, model) for one in path.constraints()):
            continue
        assert all(evaluate(one, model) for one in proof.obligations)
        fits = False
        for substitution in proof.substitutions:
            mine = Model({s: evaluate(value, model) for s, value in substitution.items()})
            mentioned = [c for part in other.touched(list(mine.values)) for c in part.constraints]
            fits |= all(evaluate(c, mine) for c in mentioned) and all(
                evaluate(one, model) == evaluate(its, mine) for one, its, _ in pairs
            )
        assert fits


COUNTED = examples(150, 3)


def test_it_is_never_wrong_and_seldom_at_a_loss() -> None:
    """Counted out: what is proved is so, and most of what is so is proved."""
    chance = random.Random(7)
    chain = Chain(BitwuzlaSolver())
    implication = Implication(chain)
    right = proved = not_so = 0
    while right < COUNTED or not_so < COUNTED:
        path = path_of(chain, [random_condition(chance, FIRST) for _ in range(chance.randrange(4))])
        other = path_of(chain, [random_condition(chance, SECOND) for _ in range(chance.randrange(3))])
        if path is None or other is None:
            continue
        count = chance.randrange(1, 3)
        pairs = [(random_value(chance, FIRST), random_value(chance, SECOND), WIDTH) for _ in range(count)]
        is_so = states(path, FIRST, [one for one, _, _ in pairs]) <= states(other, SECOND, [one for _, one, _ in pairs])
        try:
            proof = implication.prove(path, other, pairs)
        except Differ:
            right += is_so
            not_so += not is_so
            continue
        assert is_so, (path.constraints(), other.constraints(), pairs)
        check_proof(proof, path, other, pairs)
        right += 1
        proved += 1
    assert proved > 0.85 * right


# --- Figure 4: two lists of two elements each; e1 and e2 are what they hold ---

V1, V2, V3, V5 = (symbol(name, 32) for name in ("v1", "v2", "v3", "v5"))
STRICT = [build.slt(V1, V3, 32), build.slt(V3, V2, 32)]
"""s1: e1 = v1, e2 = v3."""
LOOSE = [build.sle(V1, V5, 32), build.sle(V5, V2, 32)]
"""s2: e1 = v1, e2 = v2; v5 is in no cell."""


def covers(first: Sequence[Value], other: Sequence[Value], cells: Sequence[tuple[Term, Term]]) -> bool:
    chain = Chain(BitwuzlaSolver())
    path, its = path_of(chain, first), path_of(chain, other)
    assert path is not None and its is not None
    try:
        Implication(chain).prove(path, its, [(one, two, 32) for one, two in cells])
    except Differ:
        return False
    return True


def test_figure_4() -> None:
    """e1 < e2 implies e1 <= e2, the paper's example; and not the other way round."""
    assert covers(STRICT, LOOSE, [(V1, V1), (V3, V2)])
    assert not covers(LOOSE, STRICT, [(V1, V1), (V2, V3)])


@pytest.mark.parametrize("may_wrap", [True, False])
def test_figure_4_where_integers_wrap(may_wrap: bool) -> None:
    """Between e1 and e2 lies a number if e1 + 1 < e2: for the paper's integers. Ours wrap, unless e1 < e2 too."""
    apart = [build.slt(build.add(V1, 1, 32), V2, 32)]
    if not may_wrap:
        apart.append(build.slt(V1, V2, 32))
    between = [build.slt(V1, V5, 32), build.slt(V5, V2, 32)]
    assert covers(apart, between, [(V1, V1), (V2, V2)]) == (not may_wrap)
    assert covers(between, apart, [(V1, V1), (V2, V2)])


def test_what_is_in_no_cell_does_not_matter() -> None:
    """The second path's other inputs are looked for; where none fits, nothing is covered."""
    anything = [build.eq(build.and_(V5, 1, 32), 1, 32)]
    assert covers([], anything, [(V1, V1)])
    assert covers(anything, [], [(V5, V1)])
    assert not covers([], anything, [(V1, V5)])
    square = [build.eq(build.mul(V5, V5, 32), V1, 32)]
    assert not covers([], square, [(V1, V1)])
    assert covers([build.eq(V1, 49, 32)], square, [(V1, V1)])
