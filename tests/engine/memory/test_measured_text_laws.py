"""Texts whose length is one value: reads of copies, after writes at unknown places, give what concrete memory holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.modelled import Bench
from tests.support.power import examples
from unfork.engine.memory import copied_extents, uninitialised
from unfork.engine.memory.lazy_targets import add_untouched
from unfork.engine.memory.loads import load, store
from unfork.engine.memory.measured_texts import _known_positions
from unfork.engine.memory.ranges import copy
from unfork.engine.memory.strings import known_length, measured_length
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.lazy import LAZY, LazyHeap, LazyObject
from unfork.engine.state.memory import FIRST_LAZY, UNINITIALISED, MemoryObject, address_of, object_of
from unfork.engine.state.state import State
from unfork.engine.state.text_contents import TextContents
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.c_types import Scalar, TypeCell, TypeCells

CHAR = Scalar("char", 1, "signed char")
TEXT = LazyObject(FIRST_LAZY, "s", CHAR, TypeCells(1, (TypeCell(0, CHAR, ""),), ((0, CHAR),)), 0, is_text=True)
S = address_of(FIRST_LAZY)
PLACES = symbol("i", 8), symbol("j", 8)
MOST = 5
"""Longer texts are not asked for."""
ROOM = 40
MANY = 8
"""Bytes that are read at once."""
UNKNOWN = 1 << 20
"""What an operation comes to that the engine does not do at once."""
FAULT = "fault"
Operation: TypeAlias = tuple[str, int, int]
Log: TypeAlias = tuple[Value | str, ...]

WHERE = st.integers(0, MOST)
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "cut",
                "write",
                "write two",
                "cut at",
                "read",
                "is zero",
                "read at",
                "read many",
                "length",
                "again",
                "begin",
                "move",
                "add",
                "add part",
            ]
        ),
        WHERE,
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=6,
)


class Concrete:
    """The same in concrete memory."""

    def __init__(self, text: bytes, places: tuple[int, ...], *, written: bool) -> None:
        self.text, self.places = text, places
        self.bytes = bytearray(text.ljust(ROOM, b"?"))
        self.known = bytearray([1] * len(text) + [int(written)] * (ROOM - len(text)))

    def put(self, start: int, data: bytes) -> None:
        self.bytes[start : start + len(data)] = data
        self.known[start : start + len(data)] = bytes([1] * len(data))

    def run(self, operation: Operation) -> Value | None:
        """What an operation comes to; None if that is any value."""
        what, at, which = operation
        place = self.places[which]
        match what:
            case "cut":
                self.put(place, b"\0")
            case "write":
                self.put(place, b"w")
            case "write two":
                self.put(place, b"vu")
            case "cut at":
                self.put(at, b"\0")
            case "again":
                self.put(place, self.text)
            case "begin":
                self.put(0, self.text)
            case "add" | "add part":
                end = self.bytes.index(0)
                assert all(self.known[:end])
                self.put(end, self.text if what == "add" else self.text[:-1])
            case "move":
                self.bytes[1:] = self.bytes[:-1]
                self.known[1:] = self.known[:-1]
            case "length":
                end = self.bytes.find(0)
                return end if end >= 0 and all(self.known[: end + 1]) else None
            case "read many":
                many = slice(at, at + MANY)
                return int.from_bytes(self.bytes[many], "little") if all(self.known[many]) else None
            case _:
                position = place if what == "read at" else at
                value = self.bytes[position] if self.known[position] else None
                return value if value is None or what != "is zero" else int(value == 0)
        return 0


def action(operation: Operation, block: int) -> Callable[[Step], Value]:
    """What the engine does."""
    what, at, which = operation
    place = build.add(block, build.zext(PLACES[which], 8, 64), 64)

    def run(step: Step) -> Value:
        match what:
            case "cut":
                store(step, place, 0, 1)
            case "write":
                store(step, place, ord("w"), 1)
            case "write two":
                store(step, place, int.from_bytes(b"vu", "little"), 2)
            case "cut at":
                store(step, block + at, 0, 1)
            case "again" | "begin":
                length = measured_length(step, S)
                assert length is not None
                copy(step, place if what == "again" else block, S, build.add(length, 1, 64))
            case "add" | "add part":
                length, end = measured_length(step, S), known_length(step, block)
                assert length is not None
                if end is not None:
                    count = build.add(length, 1, 64) if what == "add" else length
                    copy(step, build.add(block, end, 64), S, count)
                return UNKNOWN if end is None else 0
            case "move":
                copy(step, block + 1, block, ROOM - 1)
            case "length":
                known = known_length(step, block)
                return UNKNOWN if known is None else known
            case "is zero":
                return int(step.decide(build.eq(load(step, block + at, 1), 0, 8)))
            case "read at":
                return load(step, place, 1)
            case "read many":
                return load(step, block + at, MANY)
            case _:
                return load(step, block + at, 1)
        return 0

    return run


@pytest.fixture(params=[False, True], ids=["unwritten", "written"], scope="module")
def written(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether the room is written: then a byte at an unknown place is read without all others, as in long texts."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param:
            patch.setattr(uninitialised, "LEAST_UNREAD", 1)
            patch.setattr(copied_extents, "LEAST_BYTES", 1)
        yield request.param


def begun(solver: Any, *, written: bool, most: int = MOST + 2) -> tuple[Bench, int]:
    """A copy of a text of any length, in a block with room after it."""
    bench = Bench(solver)
    bench.limits.max_size, bench.limits.measures_texts = most, True
    bench.state.lazy = LazyHeap("f").with_object(TEXT)
    add_untouched(bench.state.memory, TEXT, 0, 0)
    block = bench.place(max(ROOM, most), kind="heap")
    for each in PLACES:
        bench.assume(build.ule(each, MOST, 8))

    def begin(step: Step) -> None:
        length = measured_length(step, S)
        assert length is not None
        for position in range(ROOM if written else 0):
            store(step, block + position, ord("?"), 1)
        copy(step, block, S, build.add(length, 1, 64))

    bench.one(begin)
    return bench, block


def explored(bench: Bench, block: int, operations: list[Operation]) -> list[tuple[State, Log]]:
    running: list[tuple[State, Log]] = [(bench.state, ())]
    for operation in operations:
        following: list[tuple[State, Log]] = []
        for state, log in running:
            bench.state, bench.outcomes = state, []
            following += [(after, (*log, value)) for after, value in bench.explore(action(operation, block))]
            assert not any(isinstance(each, Failed) for each in bench.outcomes)
        running = following
    return running


def agrees(state: State, model: Model, log: Log, operations: list[Operation], *, written: bool) -> None:
    """The values on a path are those of its input."""
    (text,) = state.lazy.objects
    made = bytes(TextContents(state.lazy, model).of(text))
    concrete = Concrete(made, tuple(evaluate(each, model) for each in PLACES), written=written)
    for operation, value in zip(operations, log, strict=True):
        if value == UNKNOWN:
            continue
        wanted = concrete.run(operation)
        assert wanted is None or isinstance(value, str) or evaluate(value, model) == wanted, (operation, concrete.text)


@given(OPERATIONS)
@settings(deadline=None, max_examples=examples(150), suppress_health_check=list(HealthCheck))
def test_what_is_read_of_a_copy_is_what_memory_holds(solver: Any, written: bool, operations: list[Operation]) -> None:
    bench, block = begun(solver, written=written)
    for state, log in explored(bench, block, operations):
        agrees(state, state.path.model(), log, operations, written=written)


@given(OPERATIONS, st.integers(0, MOST), st.integers(0, MOST), st.integers(0, MOST))
@settings(deadline=None, max_examples=examples(150), suppress_health_check=list(HealthCheck))
def test_every_input_has_a_path(
    solver: Any, written: bool, operations: list[Operation], length: int, first: int, second: int
) -> None:
    bench, block = begun(solver, written=written)
    made = bench.one(lambda step: measured_length(step, S))
    wanted = [build.eq(made, length, 64), build.eq(PLACES[0], first, 8), build.eq(PLACES[1], second, 8)]
    bench.assume(build.conjunction(wanted))
    paths = explored(bench, block, operations)
    assert paths
    for state, log in paths:
        agrees(state, state.path.model(), log, operations, written=written)


def test_a_write_at_an_unknown_place_is_one_record(solver: Any) -> None:
    bench, block = begun(solver, written=False)
    for count in range(3):
        bench.one(action(("write", 0, count % 2), block))
    origins = bench.state.memory.objects[object_of(block)].origins
    assert origins is not None
    assert len(origins.ranges) <= 3


def test_a_byte_at_an_unknown_place_is_read_alone(solver: Any, written: bool) -> None:
    bench, block = begun(solver, written=written)
    bench.one(action(("write", 0, 1), block))
    unread = bench.state.memory.objects[object_of(block)].uninitialised_runs(0, ROOM)
    paths = explored(bench, block, [("read at", 0, 0)])
    for state, log in paths:
        still = state.memory.objects[object_of(block)].uninitialised_runs(0, ROOM)
        assert (still == unread) is written
        agrees(state, state.path.model(), (0, *log), [("write", 0, 1), ("read at", 0, 0)], written=written)


def test_what_is_known_of_many_bytes_is_asked_by_halving(solver: Any) -> None:
    most = 200
    bench, block = begun(solver, written=False, most=most)
    before = bench.chain.statistics.queries
    bench.one(lambda step: uninitialised.initialise(step, object_of(block), 0, most))
    assert bench.chain.statistics.queries - before < most / 4


def test_bytes_are_looked_for_within_an_object_alone() -> None:
    """A text of which nothing is known may be as long as numbers go."""
    item = MemoryObject(bytearray(8), 8, LAZY, "text", mask=bytearray([UNINITIALISED] * 8))
    item.write(2, 1, 7)
    assert [*_known_positions(item, -4, 1 << 64)] == [2]
