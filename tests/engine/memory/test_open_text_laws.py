"""Strings of open length: what a path says of its input is what accesses to every concrete string come to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.modelled import Bench
from tests.support.power import examples
from unfork.engine.memory.lazy_objects import settle
from unfork.engine.memory.lazy_targets import add_untouched
from unfork.engine.memory.loads import load, store
from unfork.engine.memory.strings import compare_strings, string_length
from unfork.engine.protocols.outcome import Failed, Killed
from unfork.engine.state.lazy import LazyHeap, LazyObject
from unfork.engine.state.memory import FIRST_LAZY, address_of
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.c_types import Scalar, TypeCell, TypeCells
from unfork.world.inputs import heap_data

CHAR = Scalar("char", 1, "signed char")
TEXT = LazyObject(FIRST_LAZY, "s", CHAR, TypeCells(1, (TypeCell(0, CHAR, ""),), ((0, CHAR),)), 0, is_text=True)
S = address_of(FIRST_LAZY)
INDEX, CHOICE = symbol("i", 8), symbol("c", 1)
INDICES = 4
LONGEST = 3
ROOM = 7
"""Longer strings are given up."""
FAULT = "fault"
Operation: TypeAlias = tuple[str, int]
Log: TypeAlias = tuple[Value | str, ...]

OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["read", "write", "is zero", "at index", "write at index", "perhaps", "write perhaps"]),
        st.integers(0, LONGEST + 1),
    )
    | st.tuples(st.sampled_from(["length", "compare", "size"]), st.just(0)),
    max_size=6,
)


def action(operation: Operation, other: int, word: int) -> Callable[[Step], Value]:
    """What the engine does; ``other`` is where it looks unless CHOICE, and ``word`` a text that it compares with."""
    what, at = operation
    chosen = build.ite(CHOICE, S + at, other, 64)
    indexed = build.add(S, build.zext(INDEX, 8, 64), 64)

    def run(step: Step) -> Value:
        match what:
            case "read":
                return load(step, S + at, 1)
            case "is zero":
                return int(step.decide(build.eq(load(step, S + at, 1), 0, 8)))
            case "at index":
                return load(step, indexed, 1)
            case "perhaps":
                return load(step, chosen, 1)
            case "length":
                return string_length(step, S)
            case "compare":
                return compare_strings(step, S, word, None, fold=False)
            case "size":
                load(step, S, 1)
                return settle(step, FIRST_LAZY).size
            case _:
                target = {"write": S + at, "write at index": indexed, "write perhaps": chosen}[what]
                store(step, target, ord("w"), 1)
                return 0

    return run


def expected(operations: list[Operation], given_text: bytes, index: int, choice: int) -> Log:
    """What a run on a concrete string comes to."""
    text, other, log = bytearray(given_text), bytearray(b"o"), list[Value | str]()
    for what, at in operations:
        buffer, position = text, at
        if what.endswith("at index"):
            position = index
        elif what.endswith("perhaps") and not choice:
            buffer, position = other, 0
        goes_on = what == "length" or (what == "compare" and b"ab".startswith(buffer))
        if position >= len(buffer) or (goes_on and 0 not in buffer):
            return *log, FAULT
        byte = buffer[position]
        match what:
            case "is zero":
                log.append(int(byte == 0))
            case "length":
                log.append(buffer.index(0))
            case "compare":
                pairs = zip([*buffer], b"ab\0", strict=False)
                log.append(next((mine - its for mine, its in pairs if mine != its or not mine), 0) & 0xFFFFFFFF)
            case "size":
                log.append(len(buffer))
            case _ if what.startswith("write"):
                buffer[position] = ord("w")
                log.append(0)
            case _:
                log.append(byte)
    return tuple(log)


def explored(solver: Any, operations: list[Operation]) -> list[tuple[State, Log]]:
    """Every path through the operations, and what they came to on it."""
    bench = Bench(solver)
    bench.limits.max_size = ROOM
    bench.state.lazy = LazyHeap("f").with_object(TEXT)
    add_untouched(bench.state.memory, TEXT, 0, 0)
    other, word = bench.place(1, data=b"o"), bench.text("ab")
    bench.assume(build.ult(INDEX, INDICES, 8))
    running: list[tuple[State, Log]] = [(bench.state, ())]
    ended: list[tuple[State, Log]] = []
    for operation in operations:
        following: list[tuple[State, Log]] = []
        for state, log in running:
            bench.state, bench.outcomes = state, []
            following += [(after, (*log, value)) for after, value in bench.explore(action(operation, other, word))]
            faults = [each for each in bench.outcomes if isinstance(each, Failed)]
            assert all(each.fault.kind == "out-of-bounds" for each in faults)
            assert all(each.reason == "capacity" for each in bench.outcomes if isinstance(each, Killed))
            ended += [(each.state, (*log, FAULT)) for each in faults]
        running = following
    return [*running, *ended]


def model_of(state: State, text: bytes, index: int, choice: int) -> Model:
    """The symbols of a path as a concrete string has them; what is behind its end may be anything."""
    values: dict[Term, int] = {INDEX: index, CHOICE: choice}
    for each in {each for constraint in state.path.constraints() for each in constraint.symbols}:
        if each.name.startswith("strlen"):
            values[each] = len(text) - 1
    for (_, position), value in state.lazy.numbers.items():
        assert isinstance(value, Term)
        values[value] = text[position] if position < len(text) else ord("?")
    return Model(values)


def of_model(log: Log, model: Model) -> Log:
    return tuple(each if isinstance(each, str) else evaluate(each, model) for each in log)


@given(OPERATIONS)
@settings(deadline=None, max_examples=examples(120), suppress_health_check=list(HealthCheck))
def test_every_string_takes_one_path_and_finds_there_what_it_holds(solver: Any, operations: list[Operation]) -> None:
    paths = explored(solver, operations)
    for length, index, choice in product(range(LONGEST + 1), range(INDICES), range(2)):
        for characters in product(b"ab", repeat=length):
            text = bytes((*characters, 0))
            models = [(model_of(state, text, index, choice), state, log) for state, log in paths]
            taken = [
                of_model(log, model)
                for model, state, log in models
                if all(evaluate(each, model) for each in state.path.constraints())
            ]
            assert taken == [expected(operations, text, index, choice)]


@given(OPERATIONS)
@settings(deadline=None, max_examples=examples(120), suppress_health_check=list(HealthCheck))
def test_the_string_of_a_test_comes_to_what_its_path_did(solver: Any, operations: list[Operation]) -> None:
    for state, log in explored(solver, operations):
        model = state.path.model()
        heap = heap_data.of_state(state, model)
        assert heap is not None
        (item,) = heap.objects
        assert item.data.index(0) == len(item.data) - 1
        index, choice = (evaluate(each, model) for each in (INDEX, CHOICE))
        assert of_model(log, model) == expected(operations, item.data, index, choice)
