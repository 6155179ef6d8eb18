"""What is decided about single bytes without a solver is what a solver says."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.byte_domains import Domains
from unfork.logic.solve.solver import Effort, Sat, Unknown, Unsat
from unfork.logic.solve.trial import Trial, no_machine_code
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

BYTES = [symbol(f"byte{i}", 8) for i in range(3)]
FLAG = symbol("flag", 1)
WIDE = symbol("wide", 32)
TRIAL = Trial(no_machine_code, Effort())


class Nobody:
    """A solver that must not be asked."""

    def check(self, constraints, timeout=0.0):
        return Unknown("asked")

    def forget(self) -> None: ...

    def close(self) -> None: ...


def nothing_is_hard(constraints: Sequence[Term]) -> bool:
    return False


def everything_is_hard(constraints: Sequence[Term]) -> bool:
    return True


def literal(choose: random.Random) -> Value:
    byte = choose.choice(BYTES)
    number = choose.choice((0, 45, 48, 57, 97, 255))
    wide = build.sext(byte, 8, 32)
    return choose.choice(
        (
            build.eq(byte, number, 8),
            build.ult(byte, number, 8),
            build.slt(wide, number, 32),
            build.ult(build.add(build.zext(byte, 8, 32), 0xFFFFFFD0, 32), 10, 32),
            build.eq(build.and_(byte, 0xC0, 8), 0x80, 8),
            build.eq(build.urem(byte, 7, 8), 3, 8),
            build.eq(FLAG, 1, 1),
            build.eq(difference(choose), 0, 32),
            build.slt(difference(choose), 3, 32),
        )
    )


def difference(choose: random.Random) -> Value:
    """What a comparison of strings yields."""
    first, second, third = BYTES
    rest = build.ite(
        build.eq(second, 45, 8), build.zext(third, 8, 32), build.sub(build.zext(second, 8, 32), 45, 32), 32
    )
    return build.ite(build.eq(first, choose.choice((0, 45)), 8), rest, build.sub(build.zext(first, 8, 32), 45, 32), 32)


def condition(choose: random.Random) -> Value:
    parts = [literal(choose) for _ in range(choose.randint(1, 3))]
    made = build.conjunction(parts)
    return made if choose.random() < 0.4 else build.negate(made)


@pytest.mark.parametrize("seed", range(150))
def test_says_what_a_solver_says(seed: int) -> None:
    choose = random.Random(seed)
    wanted = [condition(choose) for _ in range(choose.randint(1, 12))]
    constraints = [one for one in wanted if isinstance(one, Term)]
    answer = Domains(Nobody(), nothing_is_hard, TRIAL).check(constraints)
    expected = BitwuzlaSolver().check(constraints)
    assert type(answer) is type(expected)
    if isinstance(answer, Sat):
        assert all(evaluate(one, answer.model) for one in constraints)
        assert frozenset(answer.model.values) == frozenset().union(*[one.symbols for one in constraints])


def test_hands_on_what_is_about_two_bytes_at_once() -> None:
    first, second, _ = BYTES
    assert isinstance(Domains(Nobody(), nothing_is_hard, TRIAL).check([build.eq(first, second, 8)]), Unknown)


def test_bytes_that_contradict_each_other_do_so_whatever_else_is_asked() -> None:
    first, second, third = BYTES
    asked = [build.eq(first, second, 8), build.eq(third, 46, 8), build.ult(WIDE, 7, 32)]
    assert isinstance(Domains(Nobody(), nothing_is_hard, TRIAL).check([*asked, build.eq(third, 7, 8)]), Unsat)
    assert isinstance(Domains(Nobody(), nothing_is_hard, TRIAL).check([*asked, build.ult(third, 47, 8)]), Unknown)


def test_hands_on_what_is_about_wide_symbols() -> None:
    assert isinstance(Domains(Nobody(), nothing_is_hard, TRIAL).check([build.ult(WIDE, 7, 32)]), Unknown)


def test_all_alternatives_are_tried() -> None:
    first, second, third = BYTES
    either = [
        build.either(build.eq(a, 1, 8), build.eq(b, 1, 8))
        for a, b in ((first, second), (second, third), (first, third))
    ]
    never = [
        build.negate(build.both(build.eq(a, 1, 8), build.eq(b, 1, 8))) for a, b in ((first, second), (second, third))
    ]
    assert isinstance(Domains(Nobody(), nothing_is_hard, TRIAL).check([*either, *never, build.ne(second, 1, 8)]), Sat)
    assert isinstance(Domains(Nobody(), nothing_is_hard, TRIAL).check([*either, *never, build.eq(second, 1, 8)]), Unsat)


@pytest.mark.parametrize("seed", range(100))
def test_tries_the_inputs_of_a_hard_query_if_they_are_few(seed: int) -> None:
    """Digits of a number that is divided: what is asked of the quotient no set of single bytes tells."""
    choose = random.Random(seed)
    first, second, third = BYTES
    ranges = [build.ult(build.sub(one, 48, 8), choose.randint(1, 12), 8) for one in (first, second)]
    number = build.add(build.mul(build.sub(first, 48, 8), 10, 8), build.sub(second, 48, 8), 8)
    quotient = build.udiv(number, choose.choice((third, 7, second)), 8)
    wanted = [
        *ranges,
        build.either(build.eq(third, 3, 8), build.eq(third, choose.choice((0, 9)), 8)),
        build.eq(quotient, choose.randint(0, 30), 8),
        build.ult(choose.choice((first, second)), choose.randint(48, 60), 8),
    ]
    constraints = [one for one in wanted if isinstance(one, Term)]
    answer = Domains(Nobody(), everything_is_hard, TRIAL).check(constraints)
    expected = BitwuzlaSolver().check(constraints)
    assert type(answer) is type(expected)
    if isinstance(answer, Sat):
        assert all(evaluate(one, answer.model) for one in constraints)


def test_hands_on_a_hard_query_of_many_inputs() -> None:
    first, second, third = BYTES
    many = [build.eq(build.udiv(first, second, 8), third, 8)]
    few = [build.ult(one, 10, 8) for one in BYTES]
    assert isinstance(Domains(Nobody(), everything_is_hard, TRIAL).check(many), Unknown)
    assert isinstance(Domains(Nobody(), everything_is_hard, TRIAL).check([*many, *few]), Sat)
    assert isinstance(Domains(Nobody(), nothing_is_hard, TRIAL).check([*many, *few]), Unknown)
