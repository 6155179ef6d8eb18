"""Paths that did different things to files are joined; what each sees afterwards is what it would have seen alone."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence

import pytest

from tests.support.power import every
from tests.world.conftest import Guest
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.state.merge_rules import OneOf
from unfork.engine.state.state import State
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.facts.function_facts import FactsTable
from unfork.reduce.audit.audited_join import JoinClaim
from unfork.reduce.audit.prove import ObligationOutcome, Prover
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.states import ExactJoin, Origins
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.inputs.testcase import predicted_output
from unfork.world.kernel import linux
from unfork.world.kernel.kernel_tables import Kernel, kernel_of
from unfork.world.kernel.world import GuestFile, World

X = symbol("x", 8)
WORLD = World(files=(GuestFile(b"A", 3, b"abc"), GuestFile(b"B", 2, b"de")))
SIDES = 3
ROOM = 160
"""Bytes that a call may write: those of a struct stat."""

Call = tuple[str, tuple[int, ...]]
Path = tuple[State, list[Value]]
"""A path, and what its calls returned and left in memory."""
GuestIn = Callable[[World], Guest]


class Files:
    """Calls on the files of a guest, whose names and buffers are made before any path forks."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.names = [guest.text(name) for name in ("A", "B", "n", "d", "d/m", ".", "/dev/null")]
        self.data = guest.buffer(b"0123456789")
        self.room = guest.buffer(bytes(ROOM))
        frames = Frames(LiveRegisters(FactsTable(), as_it_is), keeps_all=False)
        self.join = ExactJoin(SymbolicInputs(), guest.chain, Origins(guest.step.names), frames)

    def sides(self) -> list[State]:
        """States of which the input ``x`` tells which one it is."""
        states = []
        for number in range(SIDES):
            state = self.guest.state.fork()
            path = self.guest.chain.assume(state.path, build.eq(X, number, 8))
            assert isinstance(path, PathCondition)
            state.path = path
            states.append(state)
        return states

    def call(self, chance: random.Random) -> Call:
        """One that chance chooses."""
        name, other = chance.choice(self.names), chance.choice(self.names)
        descriptor, number = chance.randrange(6), chance.randrange(5)
        making = os.O_RDWR | os.O_CREAT
        calls: list[Call] = [
            ("open", (name, chance.choice((os.O_RDONLY, os.O_RDWR, os.O_DIRECTORY, making)), 0o644)),
            ("open", (name, making | chance.choice((os.O_TRUNC, os.O_APPEND, os.O_EXCL)), 0o600)),
            ("close", (descriptor,)),
            ("dup", (descriptor,)),
            ("dup2", (descriptor, chance.randrange(6))),
            ("fcntl", (descriptor, linux.F_SETFD, chance.randrange(2))),
            ("fcntl", (descriptor, chance.choice((linux.F_GETFD, linux.F_GETFL)))),
            ("read", (descriptor, self.room, number)),
            ("write", (descriptor, self.data + number, number)),
            ("lseek", (descriptor, number, chance.randrange(3))),
            ("ftruncate", (descriptor, number)),
            ("fstat", (descriptor, self.room)),
            ("stat", (name, self.room)),
            ("getdents64", (descriptor, self.room, ROOM)),
            ("unlink", (name,)),
            ("mkdir", (name, 0o755)),
            ("rmdir", (name,)),
            ("rename", (name, other)),
            ("link", (name, other)),
            ("chmod", (name, 0o600)),
        ]
        return chance.choice(calls)

    def begun(self, state: State, chance: random.Random, made: int) -> State:
        """The state after some calls that made so many files."""
        wanted = len(kernel_of(state).inodes) + made
        while True:
            calls = [self.call(chance) for _ in range(3 * made + chance.randrange(5))]
            ((after, _),) = self.after(state.fork(), calls)
            if len(kernel_of(after).inodes) == wanted:
                return after

    def after(self, state: State, calls: Sequence[Call]) -> list[Path]:
        """Every path that comes of making the calls."""
        paths: list[Path] = [(state, [])]
        for name, words in calls:
            paths = [
                (path, [*seen, result, *self.guest.bytes_at(self.room, ROOM, path)])
                for before, seen in paths
                for path, result in self.guest.explore(name, *words, state=before)
            ]
        return paths

    def joined(self, states: Sequence[State]) -> State:
        """One state that stands for all of them; each join is audited."""
        whole = states[0]
        for state in states[1:]:
            both = self.join.join(whole, state)
            assert isinstance(both, State), both
            endings = Prover(Z3Solver(), FOREVER).prove(list(JoinClaim((whole, state), both).obligations()))
            assert set(endings) <= {ObligationOutcome.PROVED}
            whole = both
        return whole

    def seen(self, paths: Sequence[Path], side: int) -> tuple[list[int], bytes | None]:
        """What the only path that a side takes has seen, and printed."""
        model = Model({X: side})
        taken = [(self._narrowed(state, side), values) for state, values in paths]
        ((state, values),) = [(state, values) for state, values in taken if state is not None]
        return [evaluate(value, model) for value in values], predicted_output(state, model)

    def _narrowed(self, state: State, side: int) -> State | None:
        """One side of a joined path."""
        path = self.guest.chain.assume(state.path, build.eq(X, side, 8))
        if not isinstance(path, PathCondition):
            return None
        narrow = state.fork()
        narrow.path = path
        return narrow


def open_places(kernel: Kernel) -> int:
    """How many places of the tables no side of the joins has decided."""
    return sum(isinstance(slot, OneOf) for table in (kernel.inodes, kernel.files, kernel.descriptors) for slot in table)


@pytest.mark.parametrize("seed", every([*range(60)], 3))
def test_a_joined_path_sees_what_each_side_would_have_seen(seed: int, guest_in: GuestIn) -> None:
    """Also where each has made a file of its own, under one number."""
    chance = random.Random(seed)
    files = Files(guest_in(WORLD))
    begun = [files.begun(state, chance, made=seed % 3) for state in files.sides()]
    calls = [files.call(chance) for _ in range(8)]
    alone = [files.seen(files.after(state.fork(), calls), side) for side, state in enumerate(begun)]
    together = files.after(files.joined(begun), calls)
    assert [files.seen(together, side) for side in range(SIDES)] == alone
    assert len(together) <= SIDES


def test_a_file_more_on_one_side_keeps_them_apart(guest_in: GuestIn) -> None:
    """The next one would have another number on each, which the program can ask for."""
    files = Files(guest_in(WORLD))
    a, b, _ = files.sides()
    files.guest.call("mkdir", files.names[3], 0o755, state=a)
    assert files.join.join(a, b) == Refusal("different kernel")


def test_what_nobody_looks_at_is_not_decided(guest_in: GuestIn) -> None:
    """One side has a file open, one another, one has none: standard input is one file to all of them."""
    files = Files(guest_in(WORLD))
    sides = files.sides()
    for state, name in zip(sides, files.names, strict=False):
        files.guest.call("open", name, os.O_RDONLY, state=state)
    files.guest.call("close", 3, state=sides[2])
    files.guest.call("lseek", 0, 1, 0, state=sides[1])
    whole = files.joined(sides)
    assert open_places(kernel_of(whole)) == 2
    ((whole, _),) = files.after(whole, [("read", (0, files.room, 4)), ("write", (1, files.data, 3))])
    assert open_places(kernel_of(whole)) == 2
    paths = files.after(whole, [("close", (3,))])
    assert sorted(evaluate(result, Model({})) for _, (result, *_) in paths) == [0, -linux.EBADF & (1 << 64) - 1]
    assert not any(isinstance(kernel_of(state).descriptors[3], OneOf) for state, _ in paths)


def test_what_all_entries_answer_alike_is_not_decided(guest_in: GuestIn) -> None:
    """Which of two directories it is does not matter to a call that reads no directory."""
    files = Files(guest_in(WORLD))
    directories = files.names[5], files.guest.text("/dev")
    sides = files.sides()[:2]
    for state, name in zip(sides, directories, strict=True):
        files.guest.call("open", name, os.O_RDONLY, state=state)
    whole = files.joined(sides)
    assert open_places(kernel_of(whole)) == 1
    ((whole, (result, *_)),) = files.after(whole, [("read", (3, files.room, 4))])
    assert result == -linux.EISDIR & (1 << 64) - 1
    ((whole, _),) = files.after(whole, [("close", (3,))])
    assert open_places(kernel_of(whole)) == 0


@pytest.mark.parametrize("order", [(0, 5), (5, 0)])
def test_what_entries_answer_differently_is_decided(order: tuple[int, int], guest_in: GuestIn) -> None:
    """One is a file, the other a directory."""
    files = Files(guest_in(WORLD))
    sides = files.sides()[:2]
    for state, name in zip(sides, order, strict=True):
        files.guest.call("open", files.names[name], os.O_RDONLY, state=state)
    paths = files.after(files.joined(sides), [("read", (3, files.room, 4))])
    results = {side: files.seen(paths, side)[0][0] for side in range(2)}
    assert results == {order.index(0): 3, order.index(5): -linux.EISDIR & (1 << 64) - 1}


def test_a_place_has_a_case_for_each_entry_and_not_for_each_join(guest_in: GuestIn) -> None:
    files = Files(guest_in(WORLD))
    sides = files.sides()
    for state, name in zip(sides, (files.names[0], files.names[1], files.names[0]), strict=True):
        files.guest.call("open", name, os.O_RDONLY, state=state)
    files.guest.call("lseek", 3, 2, 0, state=sides[2])
    slot = kernel_of(files.joined(sides)).files[3]
    assert isinstance(slot, OneOf)
    assert len(slot.cases) == 2
    for side, (inode, offset) in enumerate([(0, 0), (1, 0), (0, 2)]):
        file = slot.under(Model({X: side}))
        assert file is not None
        entries = dict(kernel_of(sides[side]).inode(kernel_of(sides[side]).directory).entries)
        assert file.inode == entries[tuple(b"AB"[inode : inode + 1])]
        assert evaluate(file.offset, Model({X: side})) == offset
