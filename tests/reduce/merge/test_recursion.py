"""Recursion from several calls: states meet at the entry, and each part returns to where it was called."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reduce.merge.small_states import CHAIN, FUNCTION, REGISTERS, X, Y, models, state_of, symbols_of
from tests.reduce.merge.test_join_laws import SETTINGS, conditions, values
from tests.support.corpus import PROGRAMS, Expected, read
from tests.support.power import paired, some
from tests.support.runs import errors_of, explore
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.state.names import Names
from unfork.engine.state.state import JUMP_TARGETS, Frame, State
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Value
from unfork.program.facts.function_facts import FactsTable
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.states import ExactJoin, Origins
from unfork.world.inputs.input_values import SymbolicInputs

CORPUS = [read(path) for path in sorted((PROGRAMS / "recursion").glob("*.c"))]
MEETING = (("--merge", "static", "--join", "ite"), ("--merge", "dynamic", "--join", "summary"))
TOGETHER = ("--similar", "always")
ALONE = (
    ("--check", "leak"),
    ("--check", "nontermination"),
    ("--unwind", "9"),
    ("--prune", "subsume"),
    ("--join", "abstract:interval"),
)
"""With these, another part of the run looks down the stack."""
DEEP = ("-D", "DEPTH=30", "--merge")
LIVE = {(0, 1): 2, (0, 2): None}
"""Points of FUNCTION, each with the register that is read after it, if what leads to it is a call."""


def exact_join(*, anywhere: bool = True) -> ExactJoin:
    frames = Frames(LiveRegisters(FactsTable(), as_it_is), keeps_all=False, anywhere=anywhere)
    return ExactJoin(SymbolicInputs(), CHAIN, Origins(Names()), frames)


def called(point: tuple[int, int], registers: list[Value], arguments: list[Value], assumed: list[Value]) -> State:
    """A state whose caller waits at ``point`` with these registers."""
    state = state_of(arguments, assumed)
    caller = Frame.begin(FUNCTION, 0, 0, state.token)
    (caller.block, caller.index), caller.registers[:REGISTERS] = point, registers
    state.frames.insert(0, caller)
    return state


Returned = tuple[int, int, tuple[int, int], int | None, int]


def returns(state: State) -> set[Returned]:
    """For each input: where the callee returns to, what is read there, and an argument. To one place each time."""
    caller, top = state.frames
    waits, argument = caller.waits_at(), top.registers[0]
    reads = {point: None if (at := LIVE[point]) is None else waits[point][1][at] for point in waits}
    constraints = state.path.constraints()
    mentioned = symbols_of(
        [*constraints, argument, *[guard for guard, _ in waits.values()], *filter(None, reads.values())]
    )
    found: set[Returned] = set()
    for model in models(sorted({X, Y, *mentioned}, key=lambda symbol: symbol.name), constraints):
        (point,) = [point for point, (guard, _) in waits.items() if evaluate(guard, model)]
        read_there = reads[point]
        known = None if read_there is None else evaluate(read_there, model)
        found.add((model.values[X], model.values[Y], point, known, evaluate(argument, model)))
    return found


@st.composite
def calls(draw: st.DrawFn, count: int) -> list[State]:
    """States in one function, which was called at one of two points."""
    branch, parts = draw(conditions()), []
    for _ in range(count):
        side = draw(st.sampled_from([[branch], [build.negate(branch)], []]))
        registers = [draw(st.lists(values(), min_size=3, max_size=3)) for _ in range(2)]
        own = draw(st.lists(conditions(), max_size=1))
        parts.append(called(draw(st.sampled_from(list(LIVE))), registers[0], registers[1], [*side, *own]))
    return parts


@SETTINGS
@given(calls(4))
def test_a_joined_state_returns_to_where_each_part_was_called(states: list[State]) -> None:
    """In any order, and also where both sides of a join wait at several calls."""
    join = exact_join()

    def both(a: State, b: State) -> State:
        made = join.join(a, b)
        assert isinstance(made, State)
        return made

    a, b, c, d = states
    for made in (both(both(a, b), both(c, d)), both(d, both(c, both(b, a)))):
        assert returns(made) == returns(a) | returns(b) | returns(c) | returns(d)


def test_calls_are_kept_apart_where_a_jump_may_lead_past_them() -> None:
    a, b = (called(point, [1, 2, 3], [1, 2, 3], [side]) for point, side in (((0, 1), X), ((0, 2), build.negate(X))))
    assert exact_join(anywhere=False).join(a, b) == Refusal("different places")
    a.remembered[JUMP_TARGETS] = b.remembered[JUMP_TARGETS] = {1: (1, 1, 0, 1)}
    assert exact_join().join(a, b) == Refusal("different places")


@pytest.mark.parametrize("program", some([*CORPUS], "recursion", 6), ids=lambda program: program.name)
def test_every_path_of_the_callers_is_kept(program: Expected, tmp_path: Path) -> None:
    """The same errors and as many single paths as without joins; the audit proves each join again."""
    plain = explore(program, tmp_path / "plain", "--merge", "none")
    for number, mode in enumerate(some(MEETING, program.name)):
        merged = explore(program, tmp_path / str(number), *mode, *TOGETHER, count_paths=True, audit=True)
        assert errors_of(merged) == errors_of(plain) == program.errors
        assert merged.verdict == plain.verdict
        assert not merged.alarms
        assert merged.summary["paths"]["counted"] == plain.summary["paths"]["completed"]
        assert merged.summary["audit"]["failed"] == merged.summary["audit"]["unknown"] == 0


@pytest.mark.parametrize(
    ("name", "merge"),
    some(
        [*paired(["two_returns_fixed", "two_returns_bug", "writes_global_fixed"], ["static", "dynamic"])],
        "thirty levels",
        2,
    ),
)
def test_thirty_levels_with_two_calls_each_end(name: str, merge: str, tmp_path: Path) -> None:
    """2^30 stacks are one state at a time."""
    program = read(PROGRAMS / "recursion" / f"{name}.c")
    result = explore(program, tmp_path, *DEEP, merge, *TOGETHER)
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict
    assert result.summary["states"]["created"] < 200


@pytest.mark.parametrize("words", ALONE, ids=" ".join)
def test_who_looks_down_the_stack_finds_one_caller(words: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("two_returns_bug", "locals_fixed"):
        program = read(PROGRAMS / "recursion" / f"{name}.c")
        result = explore(program, tmp_path / name, "--merge", "static", *TOGETHER, *words)
        assert errors_of(result) == program.errors
        assert result.verdict in (program.verdict, "bounded", "unknown")
