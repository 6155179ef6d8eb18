"""Buffers of stated size: bytes read at unknown offsets are those of one input, beside known offsets and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.modelled import Bench
from tests.support.power import examples
from unfork.engine.memory import loads
from unfork.engine.memory.lazy_targets import add_untouched
from unfork.engine.memory.loads import load, store
from unfork.engine.memory.ranges import copy
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.lazy import LazyArgument, LazyHeap, LazyObject
from unfork.engine.state.memory import FIRST_LAZY, address_of
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.c_types import BYTE, Pointer, TypeCell, TypeCells
from unfork.world.inputs.heap_data import of_state

MOST = 6
"""The size of the largest buffer."""
LEAST = 3
SIZE = symbol("n", 64)
PLACES = symbol("i", 8), symbol("j", 8)
COUNT = symbol("k", 64)
"""Bytes that are copied: one or two."""
ROOM = 4
CELLS = TypeCells(1, (TypeCell(0, BYTE, ""),), ((0, BYTE),))
BUFFER = LazyObject(FIRST_LAZY, "p", BYTE, CELLS, SIZE, is_stated=True)
P = address_of(FIRST_LAZY)
Operation: TypeAlias = tuple[str, int, int]

OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["read at", "read two at", "read", "read many", "write at", "write", "copy"]),
        st.integers(0, LEAST - 1),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=7,
)


@pytest.fixture(autouse=True, scope="module")
def narrow() -> Iterator[None]:
    """Each offset is one of many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loads, "FACTS_SUFFICE", 0)
        yield


def action(operation: Operation, block: int) -> Callable[[Step], Value]:
    """What the engine does; a place is one of the buffer's first bytes, or of those before its end."""
    what, at, which = operation
    place = build.add(P, build.zext(PLACES[which], 8, 64), 64)

    def run(step: Step) -> Value:
        match what:
            case "read at":
                return load(step, place, 1)
            case "read two at":
                return load(step, place, 2)
            case "read":
                return load(step, P + at, 1)
            case "read many":
                return load(step, P, LEAST)
            case "write at":
                store(step, place, 7 + at, 1)
            case "copy":
                copy(step, block + at, place, COUNT)
                return load(step, block, ROOM)
            case _:
                store(step, P + at, 9 + at, 1)
        return 0

    return run


def wanted(operation: Operation, memory: bytearray, block: bytearray, places: tuple[int, ...], count: int) -> int:
    """The same in concrete memory."""
    what, at, which = operation
    match what:
        case "read at":
            return memory[places[which]]
        case "read two at":
            return int.from_bytes(memory[places[which] : places[which] + 2], "little")
        case "read":
            return memory[at]
        case "read many":
            return int.from_bytes(memory[:LEAST], "little")
        case "write at":
            memory[places[which]] = 7 + at
        case "copy":
            block[at : at + count] = memory[places[which] : places[which] + count]
            return int.from_bytes(block, "little")
        case _:
            memory[at] = 9 + at
    return 0


def begun(solver: Any) -> tuple[Bench, int]:
    """A buffer of any bytes, and places from which two of them can be read; and a block of zeros."""
    bench = Bench(solver)
    bench.limits.max_size, bench.limits.measures_texts = MOST, True
    pointer = LazyArgument("p", Pointer("unsigned char *", None), P, SIZE)
    bench.state.lazy = LazyHeap("f", arguments=(pointer,)).with_object(BUFFER)
    add_untouched(bench.state.memory, BUFFER, SIZE, MOST)
    bench.assume(build.both(build.ule(LEAST, SIZE, 64), build.ule(SIZE, MOST, 64)))
    for each in PLACES:
        bench.assume(build.ult(build.add(build.zext(each, 8, 64), 1, 64), SIZE, 64))
    bench.assume(build.both(build.ule(1, COUNT, 64), build.ule(COUNT, 2, 64)))
    return bench, bench.place(ROOM, data=bytes(ROOM))


def explored(bench: Bench, block: int, operations: list[Operation]) -> list[tuple[State, tuple[Value, ...]]]:
    """All paths, with what each operation came to."""
    running: list[tuple[State, tuple[Value, ...]]] = [(bench.state, ())]
    for operation in operations:
        following: list[tuple[State, tuple[Value, ...]]] = []
        for state, log in running:
            bench.state, bench.outcomes = state, []
            for after, value in bench.explore(action(operation, block)):
                assert not isinstance(value, str)
                following.append((after, (*log, value)))
            assert not any(isinstance(each, Failed) for each in bench.outcomes)
        running = following
    return running


def agrees(state: State, model: Model, log: tuple[Value, ...], operations: list[Operation]) -> None:
    """The values on a path are those of the input that a test of it has."""
    heap = of_state(state, model)
    assert heap is not None
    [made] = heap.objects
    memory, places = bytearray(made.data), tuple(evaluate(each, model) for each in PLACES)
    block, count = bytearray(ROOM), evaluate(COUNT, model)
    assert len(memory) == evaluate(SIZE, model)
    for operation, value in zip(operations, log, strict=True):
        expected = wanted(operation, memory, block, places, count)
        assert evaluate(value, model) == expected, (operation, bytes(memory), places)


@given(OPERATIONS, st.lists(st.integers(1, 2), min_size=7, max_size=7), st.booleans())
@settings(deadline=None, max_examples=examples(300), suppress_health_check=list(HealthCheck))
def test_what_is_read_of_a_buffer_is_what_memory_holds(
    solver: Any, operations: list[Operation], bytes_read: list[int], are_places_equal: bool
) -> None:
    """Also where the values that are read are to be others, as far as the path lets them."""
    bench, block = begun(solver)
    if are_places_equal:
        bench.assume(build.eq(*PLACES, 8))
    for state, log in explored(bench, block, operations):
        for operation, value, byte in zip(operations, log, bytes_read, strict=False):
            after = bench.chain.assume(state.path, _equal(operation, value, byte))
            state.path = after if isinstance(after, PathCondition) else state.path
        agrees(state, state.path.model(), log, operations)


@given(OPERATIONS, st.binary(min_size=LEAST, max_size=MOST), st.integers(0, MOST), st.integers(0, MOST))
@settings(deadline=None, max_examples=examples(200), suppress_health_check=list(HealthCheck))
def test_every_buffer_has_a_path(
    solver: Any, operations: list[Operation], data: bytes, first: int, second: int
) -> None:
    places = tuple(min(each, len(data) - 2) for each in (first, second))
    bench, block = begun(solver)
    bench.assume(build.both(build.eq(SIZE, len(data), 64), build.eq(COUNT, 2, 64)))
    for each, place in zip(PLACES, places, strict=True):
        bench.assume(build.eq(each, place, 8))
    memory, copied = bytearray(data), bytearray(ROOM)
    values = [wanted(operation, memory, copied, places, 2) for operation in operations]
    paths = explored(bench, block, operations)
    same = [
        state
        for state, log in paths
        if not bench.chain.must(state.path, build.negate(build.conjunction([*map(_equal, operations, log, values)])))
    ]
    assert same


def _equal(operation: Operation, value: Value, its: int) -> Value:
    widths = {"read two at": 16, "read many": 8 * LEAST, "copy": 8 * ROOM}
    return build.eq(value, its, widths.get(operation[0], 8))


def test_a_byte_at_an_unknown_offset_is_one_value(solver: Any) -> None:
    bench, block = begun(solver)
    bench.one(action(("read at", 0, 0), block))
    assert not bench.state.lazy.numbers
    assert [len(each) for each in bench.state.lazy.points.values()] == [1]
