"""Where a query is given up, paths are fewer and real: what is found replays, and nothing is called safe."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from tests.support.corpus import Expected, read
from tests.support.power import LONG, some
from tests.support.runs import comes_out_as_stated, edges_of, errors_of, explore
from unfork.errors import InputError
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.sampling import Sampling
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.options.option_rules import check
from unfork.options.options import Options

PROGRAMS = [read(path) for path in sorted((Path(__file__).parent / "sampled").glob("*.c"))]
WIDTH = 3
SYMBOLS = [symbol(name, WIDTH) for name in "abc"]
INPUTS = [Model(dict(zip(SYMBOLS, values, strict=True))) for values in product(range(1 << WIDTH), repeat=len(SYMBOLS))]


class Moody:
    """A solver that tries all inputs, if it is in the mood."""

    def __init__(self, chance: random.Random, mood: float = 0.4) -> None:
        self._chance = chance
        self._mood = mood

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        if self._chance.random() >= self._mood:
            return Unknown("no mood")
        for model in INPUTS:
            if all(evaluate(each, model) for each in constraints):
                return Sat(Model(dict(model.values)))
        return Unsat()

    def forget(self) -> None:
        """Nothing to forget."""

    def close(self) -> None:
        """Nothing to close."""


def satisfying(path: PathCondition) -> set[int]:
    """The inputs of a path, by their numbers; they are those of its slices, and its model is one of them."""
    held = {i for i, model in enumerate(INPUTS) if all(evaluate(each, model) for each in path.constraints())}
    parts = [each for part in path.all_slices() for each in part.constraints]
    assert held == {i for i, model in enumerate(INPUTS) if all(evaluate(each, model) for each in parts)}
    model = path.model()
    assert all(evaluate(each, model) for each in path.constraints())
    return held


def number(chance: random.Random) -> Value:
    a, b = chance.sample(SYMBOLS, 2)
    operation = chance.choice((build.mul, build.add, build.udiv, build.xor))
    return operation(a, chance.choice((b, chance.randrange(1 << WIDTH))), WIDTH)


@pytest.mark.parametrize("seed", range(40))
def test_a_path_of_an_answer_implies_the_path_that_was_asked_about(seed: int) -> None:
    chance = random.Random(seed)
    asked = Sampling(Moody(chance))
    path = PathCondition.EMPTY
    for _ in range(12):
        compare = chance.choice((build.ult, build.eq, build.slt))
        condition = compare(number(chance), number(chance), WIDTH)
        before, sampled = satisfying(path), asked.statistics.sampled
        yes, no = asked.branch(path, condition)
        whole = {True: set[int](), False: set[int]()}
        for i in before:
            whole[bool(evaluate(condition, INPUTS[i]))].add(i)
        for holds, side in ((True, yes), (False, no)):
            if isinstance(side, PathCondition):
                held = satisfying(side)
                assert held
                assert held <= whole[holds]
                assert held == whole[holds] or asked.statistics.sampled > sampled
            elif isinstance(side, Unsat):
                assert not whole[holds]
            else:
                assert asked.statistics.unknown
                assert asked.statistics.sampled > sampled
        sides = [side for side in (yes, no) if isinstance(side, PathCondition)]
        path = chance.choice(sides)
        assert not asked.must(path, build.conjunction([condition, build.negate(condition)]))


def test_what_was_given_up_is_not_asked_again() -> None:
    asked = Sampling(Moody(random.Random(0), mood=0.0))
    x, y = symbol("x", 64), symbol("y", 64)
    factors = build.eq(build.mul(x, y, 64), 0xFFFF_FFFB_0000_0005, 64)
    asked.branch(PathCondition.EMPTY, factors)
    assert asked.statistics.queries == 1
    path = asked.assume(PathCondition.EMPTY, build.ult(x, 1 << 33, 64))
    assert isinstance(path, PathCondition)
    yes, no = asked.branch(path, factors)
    assert isinstance(yes, Unknown)
    assert isinstance(no, PathCondition)
    assert asked.statistics.queries == 1
    assert asked.statistics.sampled == asked.statistics.unknown == 2


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.path.stem for program in PROGRAMS])
def test_programs(program: Expected, tmp_path: Path) -> None:
    comes_out_as_stated(program, tmp_path / "run")


@pytest.mark.parametrize("name", some(["newton_fixed", "factors_fixed", "decimal_fixed", "cubes_fixed"], "counted"))
def test_what_was_sampled_is_counted_and_said(name: str, tmp_path: Path) -> None:
    (program,) = [one for one in PROGRAMS if one.path.stem == name]
    result = explore(program, tmp_path / "run")
    sampled = result.summary["solver"]["sampled"]
    assert sampled
    assert not result.summary["exhausted"]
    words = "1 query was" if sampled == 1 else f"{sampled} queries were"
    assert f"{words} sampled: not everything was explored" in (result.directory / "warnings.txt").read_text()


@LONG
def test_a_path_that_was_made_concrete_asks_nothing_more(tmp_path: Path) -> None:
    """Who waits gives up turn by turn; both come to the same branches."""
    (program,) = [one for one in PROGRAMS if one.path.stem == "newton_bug"]
    sampled = explore(program, tmp_path / "sample")
    waited = explore(program, tmp_path / "wait", "--hard", "wait", "--solver-timeout", "0.1")
    assert sampled.summary["solver"]["unknown"] == sampled.summary["solver"]["sampled"] == 1
    assert waited.summary["solver"]["unknown"] > 5
    assert errors_of(sampled) == errors_of(waited) == program.errors
    assert edges_of(waited) <= edges_of(sampled)


def test_without_hard_queries_it_is_plain(tmp_path: Path) -> None:
    example = Path("examples/regexp.c")
    plain, sample = [
        explore(example, tmp_path / name, "-D", "SIZE=4", "--strategy", name) for name in ("plain", "sample")
    ]
    assert sample.verdict == plain.verdict
    for key in ("errors", "paths", "states", "forks", "instructions", "coverage"):
        assert sample.summary[key] == plain.summary[key]


@pytest.mark.parametrize("words", [{"merge": "static"}, {"prune": "subsume"}, {"loops": "abstract"}])
def test_it_goes_with_nothing_that_relies_on_all_of_a_path(words: dict[str, str]) -> None:
    given = frozenset((*words, "hard"))
    with pytest.raises(InputError, match="--hard: sample needs"):
        check(Options(hard="sample", given=given, **words))  # type: ignore[arg-type]
