"""Counterexamples: where they are found, how they are shown, and the instances that lead to them."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tests.support.power import IS_FULL
from tests.support.runs import written
from unfork.cli import parse
from unfork.commands.verify.concretely import Instances, with_witnesses
from unfork.commands.verify.refute import Refuter
from unfork.commands.verify.verify import Verified, verify
from unfork.engine.meaning import formula
from unfork.engine.meaning.formula import Formula, Ground, QuantifiedFormula
from unfork.engine.state.unbounded import CellsOfSymbols
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import substitute
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol

EXAMPLES = Path(__file__).parents[3] / "examples"
N = symbol("n", 32)


def verified(source: Path, folder: Path, *words: str) -> Verified:
    return verify([source], parse(["verify", str(source), "--quiet", "--out", str(folder / "out"), *words])[1])


def instances() -> Instances:
    fresh = count(1).__next__
    return Instances(Refuter(CellsOfSymbols(), Z3Solver(), fresh), fresh)


def all_below_ten(holds: Value) -> Formula:
    """``\\forall k; 0 <= k < 10 ==> k != holds``."""

    def body(values: tuple[Value, ...]) -> Formula:
        [k] = values
        inside = build.both(build.sle(0, k, 32), build.slt(k, 10, 32))
        return formula.implied(Ground(inside), Ground(build.ne(k, holds, 32)))

    return QuantifiedFormula(False, (32,), body)


@pytest.mark.skipif(not IS_FULL, reason="20 s: make test-all")
def test_the_stack_of_timsort_is_broken_by_a_stack_that_is_shown(tmp_path: Path) -> None:
    [proved] = verified(EXAMPLES / "timsort_stack.c", tmp_path, "--max-time", "600").functions
    assert proved.broken is not None
    assert (proved.verdict, proved.broken.kind) == ("unsafe", "contract")
    assert "start[k+1] - start[k] > start[k+3] - start[k+1]" in proved.broken.what
    assert proved.broken.call.startswith("merge_collapse() where start = {")
    left = [each.subject for each in proved.obligations if each.ending != "proved"]
    assert [(each.kind, each.line) for each in left] == [("ensures", proved.broken.line)]


def test_variables_that_are_not_zero_are_shown_with_the_call(tmp_path: Path) -> None:
    source = written(
        "int a[3], b, c; /*@ requires a[1] == 5 && b == 0; ensures x != 7; */ void f(int x) { c = 1; }", tmp_path
    )
    [proved] = verified(source, tmp_path).functions
    assert proved.broken is not None
    assert proved.broken.call == "f(x = 7) where a = {0, 5, 0}"


def test_a_clause_that_is_no_condition_is_named_as_what_it_is(tmp_path: Path) -> None:
    source = written("int g, h; /*@ assigns h; */ void f(void) { h = 1; g = 2; }", tmp_path)
    [proved] = verified(source, tmp_path).functions
    assert proved.broken is not None
    assert proved.broken.what == "assigns h"


def test_an_instance_is_false_of_the_inputs_that_break_a_formula() -> None:
    at_four = instances().broken(all_below_ten(N), lambda value: with_number(value, 4))
    assert at_four == build.ne(4, N, 32)
    assert instances().broken(all_below_ten(N), lambda value: with_number(value, 12)) is None


def test_what_is_unknown_fails_for_certain_only_whatever_it_is() -> None:
    assert not instances().fails(Ground(build.eq(N, 3, 32)))
    assert not instances().holds(Ground(build.eq(N, 3, 32)))
    assert instances().fails(all_below_ten(4))
    assert instances().holds(all_below_ten(10))
    assert instances().fails(formula.either([all_below_ten(4), all_below_ten(9)]))


def test_what_exists_has_a_witness_where_nothing_is_said_of_all() -> None:
    exists = formula.negated(all_below_ten(N))
    named = with_witnesses(exists, lambda width: symbol("w", width))
    assert isinstance(named, Ground)
    assert instances().holds(formula.implied(named, Ground(build.slt(N, 10, 32))))
    everywhere = all_below_ten(N)
    assert with_witnesses(everywhere, lambda width: symbol("w", width)) is everywhere


def with_number(value: Value, number: int) -> Value:
    """A value where ``n`` is a number."""
    return substitute(value, {N: number})
