"""Terms as objects: one per structure, deep ones included, forgotten when nobody needs them."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys

import pytest

from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate, substitute
from unfork.logic.terms.term import Term, flatten, postorder, sort_terms
from unfork.logic.terms.term_table import count_requests, make, sweep, symbol, unflatten

X = symbol("x", 32)
Y = symbol("y", 32)


def test_equal_structure_is_one_object() -> None:
    assert symbol("x", 32) is X
    assert symbol("x", 8) is not X
    assert build.add(X, 5, 32) is build.add(5, X, 32)
    assert build.add(X, Y, 32).symbols == {X, Y}  # type: ignore[union-attr]  # a term


def test_equal_sets_of_symbols_are_one_object() -> None:
    one, other = symbol("one of a set", 32), symbol("other of a set", 32)  # a sweep forgets sets of older terms
    first, second = build.add(one, other, 32), build.xor(other, one, 32)
    assert type(first) is Term and type(second) is Term
    assert first.symbols is second.symbols
    assert sort_terms(first.symbols) == sorted([one, other], key=lambda s: s.digest)


def test_digests_are_the_same_in_every_process() -> None:
    code = (
        "from unfork.logic.terms import build; from unfork.logic.terms.term_table import symbol;"
        "print(build.fp_op('add', 'float', build.ite(symbol('c', 1), symbol('x', 32), 7, 32), 9).digest)"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_unused_terms_are_forgotten() -> None:
    gc.collect()  # what other tests have left in circles may hold terms
    sweep()
    fresh = term = symbol("forgotten", 32)
    for _ in range(20_000):
        term = make("add", 32, (term, Y))
    other = build.add(fresh, 1, 32)
    assert sweep() == 0
    del term, fresh, other
    assert sweep() == 20_002
    assert sweep() == 0


def test_a_row_table_gives_back_every_term() -> None:
    roots = [build.add(X, 1, 32), build.eq(X, Y, 32), X]
    terms = [root for root in roots if type(root) is Term]
    assert unflatten(flatten(terms)) == postorder(terms)


def test_models_compare_by_what_they_assign() -> None:
    model = Model({X: 1})
    evaluate(build.add(X, Y, 32), model)
    again = pickle.loads(pickle.dumps(model))
    assert again == model and not again.memo


def test_substitution_leaves_out_what_is_not_chosen() -> None:
    condition = symbol("chooses", 1)
    value = build.ite(condition, X, build.add(Y, 7, 32), 32)
    requests = count_requests()
    assert substitute(value, {condition: 1, Y: 5}) is X
    assert count_requests() == requests
    assert substitute(value, {condition: 0, Y: 5}) == 12


def test_substitution_simplifies() -> None:
    total = build.add(build.mul(X, 4, 32), Y, 32)
    assert substitute(total, {X: 2}) is build.add(Y, 8, 32)
    assert substitute(total, {X: 2, Y: 1}) == 9
    assert substitute(total, {symbol("z", 32): 1}) is total


def test_terms_of_many_symbols_gather_them_when_asked() -> None:
    symbols = [symbol(f"many{i}", 8) for i in range(700)]
    sums = [build.add(symbols[0], symbols[1], 8)]
    for one in symbols[2:]:
        sums.append(build.add(sums[-1], one, 8))
    whole, half = sums[-1], sums[348]
    assert isinstance(whole, Term)
    assert isinstance(half, Term)
    assert whole.is_wide
    assert whole.symbols == frozenset(symbols)
    assert half.symbols == frozenset(symbols[:350])
    negated = build.ite(build.eq(symbols[0], 1, 8), whole, 3, 8)
    assert isinstance(negated, Term)
    assert negated.symbols == whole.symbols
    with pytest.raises(AttributeError):
        whole.unknown  # type: ignore[attr-defined]  # noqa: B018  # only the symbols are made late
