"""Packed states are the same states: they share what they shared, and name functions and globals."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS
from tests.support.runs import explore, written
from unfork.commands.run.run import Result
from unfork.engine.protocols.fault import Aspect
from unfork.engine.state.memory import FIRST_HEAP, MemoryObject
from unfork.engine.state.packed import StateSurroundings, Unreadable, _Unpickler, pack, unpack
from unfork.engine.state.state import EarlierState, EitherOutput, OutputPrefix, State
from unfork.engine.state.stowed import Rows
from unfork.engine.state.threads import THREADS
from unfork.logic.terms import build
from unfork.logic.terms.term_table import symbol

PROGRAM = """
#include <stdio.h>
#include "unfork.h"
static int table[64] = {1};
static const char text[] = "text";
int main(void) {
    unsigned char a[8];
    unfork_symbolic(a, sizeof a, "a");
    for (int i = 0; i < 8; i++) {
        table[a[i] & 3] += i;
        if (a[i] > 100) printf("%c%c", text[i & 3], a[i]);
    }
    return table[0];
}
"""


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A run of which states are left that share much."""
    folder = tmp_path_factory.mktemp("packed")
    return explore(written(PROGRAM, folder), folder / "run", "--merge", "none", "--max-forks", "20")


def around(result: Result) -> StateSurroundings:
    beginnings = result.waiting[0].memory.objects.beginnings
    assert beginnings is not None
    return StateSurroundings(result.program, beginnings)


def packed_again(result: Result) -> list[State]:
    states: list[State] = unpack(pack(list(result.waiting), around(result)), around(result))
    return states


def test_states_come_back_as_they_were(stopped: Result) -> None:
    assert len(stopped.waiting) > 10
    for state, twin in zip(stopped.waiting, packed_again(stopped), strict=True):
        assert twin is not state
        assert twin.path == state.path
        assert twin.path.constraints() == state.path.constraints()
        assert twin.path.model() == state.path.model()
        assert twin.memory.same(state.memory)
        assert list(twin.inputs) == list(state.inputs)
        assert [(frame.function, frame.block, frame.index) for frame in twin.frames] == [
            (frame.function, frame.block, frame.index) for frame in state.frames
        ]
        assert [frame.registers for frame in twin.frames] == [frame.registers for frame in state.frames]
        assert twin.written(1) == state.written(1)
        assert twin.frames[-1].owner is twin.token
        assert (twin.forks, twin.instructions, twin.node, twin.pending) == (
            *(state.forks, state.instructions, state.node, state.pending),
        )


def test_callers_wait_where_they_did(tmp_path: Path) -> None:
    words = ("--merge", "static", "--similar", "always", "--max-forks", "4")
    result = explore(PROGRAMS / "recursion" / "two_returns_fixed.c", tmp_path, *words)
    assert any(frame.elsewhere for state in result.waiting for frame in state.frames)
    for state, twin in zip(result.waiting, packed_again(result), strict=True):
        assert [frame.waits_at() for frame in twin.frames] == [frame.waits_at() for frame in state.frames]


def test_what_states_share_they_share_again(stopped: Result) -> None:
    def shared(states: list[State]) -> int:
        return len({id(item) for state in states for item in state.memory.objects.held.values()})

    twins = packed_again(stopped)
    assert shared(twins) == shared(list(stopped.waiting))
    apart = sum(len(pack([state], around(stopped))) for state in stopped.waiting)
    assert len(stopped.waiting) >= 8
    assert len(pack(list(stopped.waiting), around(stopped))) < apart / 4


def test_what_is_stowed_is_packed_and_stays_so(stopped: Result) -> None:
    states, rows = [state.fork() for state in stopped.waiting], Rows()
    for state in states:
        state.stow(rows, [])
    twins: list[State] = unpack(pack(states, around(stopped)), around(stopped))
    assert all(state.kept() and state.frames[-1].kept() and state.memory.objects.kept() for state in states)
    for state, before, twin in zip(states, stopped.waiting, twins, strict=True):
        for each in (state, twin):
            assert [frame.registers for frame in each.frames] == [frame.registers for frame in before.frames]
            assert (each.input_counts, each.iterations) == (before.input_counts, before.iterations)
            assert (each.remembered, each.path) == (before.remembered, before.path)
            assert each.path.slices.keys() == before.path.slices.keys()
            assert each.memory.same(before.memory)
        assert list(state.memory.objects.held) == list(before.memory.objects.held)


def test_pages_that_states_share_are_packed_once(stopped: Result) -> None:
    states, size = [state.fork() for state in stopped.waiting], 1 << 16
    first = MemoryObject(bytearray(random.Random(1).randbytes(size)), size, "heap", "malloc")
    for number, state in enumerate(states):
        state.memory.objects[FIRST_HEAP] = first
        first.owner = object()
        state.memory.writable(FIRST_HEAP).write(256 * number + 255, 2, 0xABCD)  # each has a copy of its own
        state.stow(Rows(), [])
        first = state.memory.objects[FIRST_HEAP]
    packed = pack(states, around(stopped))
    assert len(packed) < size + len(states) * size / 8
    assert all(state.memory.objects[FIRST_HEAP].is_stowed for state in states)
    for state, twin in zip(states, unpack(packed, around(stopped)), strict=True):
        assert twin.memory.objects[FIRST_HEAP].is_stowed
        assert twin.memory.objects[FIRST_HEAP].data == state.memory.objects[FIRST_HEAP].data


def test_globals_and_functions_are_named(stopped: Result) -> None:
    beginnings = around(stopped).beginnings
    for twin in packed_again(stopped):
        assert twin.memory.objects.beginnings is beginnings
        assert all(frame.function is stopped.program.function(frame.function.name) for frame in twin.frames)
        for number, item in twin.memory.objects.held.items():
            if item.read_only and item.kind == "global":
                assert item is beginnings[number]


def test_deep_chains_are_packed(stopped: Result) -> None:
    """Path conditions, outputs and terms are linked far deeper than Python may recurse."""
    state = stopped.waiting[0].fork()
    value, path = build.zext(symbol("deep", 8), 8, 64), state.path
    for number in range(5_000):
        value = build.add(build.mul(value, 3, 64), number, 64)
        state.output = (state.output, 1, (number & 255, symbol("byte", 8)))
        path = path.extended([build.eq(symbol(f"s{number}", 8), 1, 8)], [])
    state.path, state.frames[-1].registers[0] = path, value
    (twin,) = unpack(pack([state], around(stopped)), around(stopped))
    assert twin.frames[-1].registers[0] is value
    assert twin.path.constraints() == path.constraints()
    assert twin.written(1) == state.written(1)


def test_joined_outputs_are_packed(stopped: Result) -> None:
    state = stopped.waiting[0].fork()
    common = (None, 1, b"common")
    beginning = OutputPrefix((ord("a"), symbol("byte", 8)), symbol("length", 64))
    state.output = EitherOutput(symbol("guard", 1), (common, 1, b"left"), (common, 1, beginning))
    (twin,) = unpack(pack([state], around(stopped)), around(stopped))
    assert twin.output == state.output
    assert twin.output.first[0] is twin.output.second[0]


def test_earlier_states_stay_behind(stopped: Result) -> None:
    state = stopped.waiting[0].fork()
    state.frames[-1].entered = EarlierState(stopped.waiting[1])
    (twin,) = unpack(pack([state], around(stopped)), around(stopped))
    assert twin.frames[-1].entered is None


class Harm:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path, ("harm",)


class Named:
    """As Python before 3.11.4 packs a member of an enumeration."""

    def __init__(self, kind: type, name: str) -> None:
        self.named = kind, name

    def __reduce__(self) -> tuple[object, tuple[type, str]]:
        return getattr, self.named


def test_members_of_enumerations_come_back_whoever_packed_them(stopped: Result) -> None:
    data = pack([Aspect.NO_FUNCTION], around(stopped))
    assert unpack(data, around(stopped)) == [Aspect.NO_FUNCTION]
    assert _Unpickler(pickle.dumps(Named(Aspect, "NO_FUNCTION")), {}).load() is Aspect.NO_FUNCTION


def test_packed_bytes_make_nothing_but_states(stopped: Result) -> None:
    for named in (Named(Aspect, "__members__"), Named(State, "fork")):
        with pytest.raises(pickle.UnpicklingError):
            _Unpickler(pickle.dumps(named), {}).load()
    for data in (pickle.dumps(Harm()), pickle.dumps(([], [], [], pickle.dumps(print))), b"", b"no pickle"):
        with pytest.raises(Unreadable):
            unpack(data, around(stopped))


def test_long_schedules_are_packed(tmp_path: Path) -> None:
    program = """
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int counter;
    static void *run(void *argument) { return argument; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, 0, run, 0);
        for (int i = 0; i < 3000; i++) counter++;
        return pthread_join(thread, 0);
    }
    """
    result = explore(written(program, tmp_path), tmp_path / "run", "--max-instructions", "12000", "--merge", "none")
    waiting = [state.remembered[THREADS] for state in result.waiting]
    again = [state.remembered[THREADS] for state in packed_again(result)]
    assert max(0 if each is None or each.last is None else each.last.number for each in waiting) > 1_000
    assert [each and each.turns() for each in again] == [each and each.turns() for each in waiting]
