"""Formulas are negated, joined and instantiated as logic has it."""

from __future__ import annotations

from itertools import product

from unfork.engine.meaning import formula
from unfork.engine.meaning.formula import FALSE, TRUE, All, Formula, Ground, QuantifiedFormula, Some, Universal
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term_table import symbol

P, Q = symbol("p", 1), symbol("q", 1)
NIBBLE = 4


def holds(of: Formula, model: Model) -> bool:
    match of:
        case Ground(value):
            return bool(evaluate(value, model))
        case All(formulas):
            return all(holds(each, model) for each in formulas)
        case Some(formulas):
            return any(holds(each, model) for each in formulas)
        case QuantifiedFormula(exists, widths, body):
            each = [holds(body(values), model) for values in product(*[range(1 << width) for width in widths])]
            return any(each) if exists else all(each)


def below(bound: int, *, exists: bool) -> QuantifiedFormula:
    """Of a nibble k: p holds or k is below a bound."""
    return QuantifiedFormula(
        exists, (NIBBLE,), lambda values: Ground(build.either(P, build.ult(values[0], bound, NIBBLE)))
    )


FORMULAS = (TRUE, FALSE, Ground(P), Ground(build.negate(Q)), below(5, exists=True), below(5, exists=False))
MODELS = [Model({P: p, Q: q}) for p in (0, 1) for q in (0, 1)]


def test_connectives() -> None:
    for a, b in product(FORMULAS, repeat=2):
        for model in MODELS:
            first, second = holds(a, model), holds(b, model)
            assert holds(formula.negated(a), model) == (not first)
            assert holds(formula.both([a, b]), model) == (first and second)
            assert holds(formula.either([a, b]), model) == (first or second)
            assert holds(formula.implied(a, b), model) == (not first or second)


def test_quantifiers_within_each_other_are_negated() -> None:
    """For all k there is some m that is not below it."""
    nested = QuantifiedFormula(
        False,
        (NIBBLE,),
        lambda k: QuantifiedFormula(True, (NIBBLE,), lambda m: Ground(build.uge(m[0], k[0], NIBBLE))),
    )
    assert holds(nested, Model({}))
    assert not holds(formula.negated(nested), Model({}))


def test_nothing_is_kept_of_what_is_known() -> None:
    assert formula.both([TRUE, Ground(P)]) == Ground(P)
    assert formula.both([FALSE, below(5, exists=True)]) == FALSE
    assert formula.either([TRUE, below(5, exists=True)]) == TRUE
    many = below(5, exists=True)
    assert formula.both([TRUE, many]) is many


def test_a_claim_is_about_values_where_its_guard_holds() -> None:
    claim = Universal((NIBBLE,), lambda values: Ground(build.ult(values[0], 5, NIBBLE)))
    assert claim.at((4,)) == TRUE
    assert claim.at((5,)) == FALSE
    guarded = claim.under(P).under(Q)
    assert [holds(guarded.at((5,)), model) for model in MODELS] == [True, True, True, False]
