"""A fact that a path remembers declares once how it meets its like: join, cover, interpolant and audit follow that."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pytest

import unfork
from tests.reduce.merge.small_states import X, Y, less, state_of, summary_join
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.memory import FIRST_HEAP, MemoryObject, address_of
from unfork.engine.state.merge_rules import (
    ByNamePart,
    CountPart,
    EachPart,
    EitherPart,
    EqualPart,
    FirstNamePart,
    NumberPart,
    OneOf,
    PaddedPart,
    RecordPart,
    parts_of,
)
from unfork.engine.state.remembered import Fact, FactFamily
from unfork.engine.state.state import State
from unfork.logic.solve.solver import FOREVER
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.c_type_reader import NO_TYPES
from unfork.reduce.audit.audited_join import JoinClaim
from unfork.reduce.audit.prove import ObligationOutcome, Prover
from unfork.reduce.merge.joined_facts import MOST_CASES
from unfork.reduce.prune.contract import Differ
from unfork.reduce.prune.interpolation.interpolant import Fixed
from unfork.reduce.prune.matching import Matching
from unfork.reduce.prune.roots import FactMatch, check_equal_facts
from unfork.world.kernel.kernel_tables import KERNEL, Descriptor, Inode, Kernel, OpenFile, Slot

SOURCES = Path(unfork.__file__).parent
DECLARATION = re.compile(r'\b(?:Fact|Family)(?:\[.*\])?\(\s*"([^"]+)"')
BRANCH = less(X, 5)
FIRST, SECOND = Model({X: 1}), Model({X: 9})


@dataclass(frozen=True, slots=True)
class Disk:
    """A record within the kernel's."""

    free: Annotated[Value, NumberPart(64)]


@dataclass(frozen=True, slots=True)
class LargerKernel(Kernel):
    """The kernel's record with new fields, one of each kind: this declaration is all that they need."""

    load: Annotated[Value, NumberPart(16)] = 0
    users: Annotated[int, EqualPart()] = 0
    buffer: Annotated[Value, ByNamePart()] = 0
    disks: Annotated[tuple[Disk | None, ...], EachPart(RecordPart())] = ()
    slots: Annotated[tuple[Slot[Disk], ...], PaddedPart(EitherPart(RecordPart()))] = ()
    label: Annotated[str | OneOf[str], EitherPart(EqualPart())] = ""


KNOWN = LargerKernel((), load=3, users=2, buffer=9, disks=(None, Disk(6)))
CHANGED: list[dict[str, Any]] = [
    {"load": 4},
    {"users": 3},
    {"buffer": 8},
    {"disks": (None, Disk(7))},
    {"disks": (None,)},
    {"disks": (None, None)},
    {"slots": (Disk(1),)},
    {"label": "other"},
    {"label": OneOf(((BRANCH, ""), (build.negate(BRANCH), "other")))},
    {"clock": 1},
]


def pair(first: Kernel, second: Kernel) -> tuple[State, State]:
    """Two sides of a branch that remember different tables."""
    a, b = state_of([1, 1, 1], [BRANCH]), state_of([1, 1, 1], [build.negate(BRANCH)])
    a.remembered[KERNEL], b.remembered[KERNEL] = first, second
    return a, b


def matching(a: State, b: State) -> Matching:
    """What is left to compare of what the two remember."""
    match = Matching(a, b, NO_TYPES, renames=True, tells_unwritten=False)
    check_equal_facts(a.remembered, b.remembered)
    FactMatch().match(match, a.remembered, b.remembered)
    return match


def test_the_join_has_values_of_both_sides() -> None:
    a, b = pair(KNOWN, replace(KNOWN, load=4, disks=(None, Disk(7)), clock=1))
    made = summary_join().join(a, b)
    assert isinstance(made, State)
    kernel = made.remembered[KERNEL]
    assert isinstance(kernel, LargerKernel)
    for model, expected in ((FIRST, (3, 6, KNOWN.clock)), (SECOND, (4, 7, 1))):
        disk = kernel.disks[1]
        assert disk is not None
        assert tuple([evaluate(value, model) for value in (kernel.load, disk.free, kernel.clock)]) == expected
    assert (kernel.users, kernel.buffer, kernel.disks[0]) == (2, 9, None)


def test_what_does_not_meet_is_one_of_both() -> None:
    """Entries that meet do so wherever they stand; there are no more than there are different ones."""
    first = replace(KNOWN, slots=(Disk(1), None, Disk(5)), label="a")
    parents = pair(first, replace(KNOWN, slots=(Disk(2), Disk(3)), label="b"))
    made = summary_join().join(*parents)
    assert isinstance(made, State)
    assert audited(made, parents) == {ObligationOutcome.PROVED}
    kernel = made.remembered[KERNEL]
    assert isinstance(kernel, LargerKernel)
    assert not isinstance(kernel.slots[0], OneOf)
    for model, slots, label in ((FIRST, (1, None, 5), "a"), (SECOND, (2, 3, None), "b")):
        entries = [slot.under(model) if isinstance(slot, OneOf) else slot for slot in kernel.slots]
        assert tuple([None if entry is None else evaluate(entry.free, model) for entry in entries]) == slots
        assert isinstance(kernel.label, OneOf)
        assert kernel.label.under(model) == label
    left, right = pair(kernel, replace(KNOWN, slots=(Disk(1), Disk(4)), label="b"))
    left.path, right.path = (state_of([1, 1, 1], [less(Y, limit)]).path for limit in (3, 9))
    again = summary_join().join(left, right)
    assert isinstance(again, State)
    assert audited(again, (left, right)) == {ObligationOutcome.PROVED}
    kernel = again.remembered[KERNEL]
    assert isinstance(kernel, LargerKernel)
    assert isinstance(kernel.label, OneOf)
    assert [entry for _, entry in kernel.label.cases] == ["a", "b"]


def test_a_join_of_too_many_different_things_is_refused() -> None:
    labels = OneOf(tuple([(less(X, number), str(number)) for number in range(MOST_CASES)]))
    assert summary_join().join(*pair(replace(KNOWN, label=labels), KNOWN)) == Refusal("different kernel")


@pytest.mark.parametrize("wrong", [((BRANCH, "b"), (build.negate(BRANCH), "a")), ((1, "a"),), ((1, "a"), (1, "b"))])
def test_the_audit_fails_wrong_conditions(wrong: tuple[tuple[Value, str], ...]) -> None:
    parents = pair(replace(KNOWN, label="a"), replace(KNOWN, label="b"))
    made = summary_join().join(*parents)
    assert isinstance(made, State)
    kernel = made.remembered[KERNEL]
    assert isinstance(kernel, LargerKernel)
    made.remembered[KERNEL] = replace(kernel, label=OneOf(wrong))
    assert ObligationOutcome.FAILED in audited(made, parents)


def test_a_cover_compares_conditions() -> None:
    def either(condition: Value) -> LargerKernel:
        return replace(KNOWN, label=OneOf(((condition, "a"), (build.negate(condition), "b"))))

    other = less(Y, 3)
    assert matching(*pair(either(BRANCH), either(other))).pairs[0] == (BRANCH, other, 1)


@pytest.mark.parametrize("change", [{"users": 3}, {"buffer": 8}, {"disks": (None,)}, {"disks": (None, None)}])
def test_the_join_refuses_what_must_be_equal(change: dict[str, Any]) -> None:
    assert summary_join().join(*pair(KNOWN, replace(KNOWN, **change))) == Refusal("different kernel")


def test_a_cover_compares_what_is_symbolic() -> None:
    load, free = symbol("load", 16), symbol("free", 64)
    match = matching(*pair(replace(KNOWN, load=load, disks=(None, Disk(free))), KNOWN))
    assert match.pairs == [(load, 3, 16), (free, 6, 64)]


@pytest.mark.parametrize("change", CHANGED)
def test_a_cover_refuses_what_differs(change: dict[str, Any]) -> None:
    with pytest.raises(Differ):
        matching(*pair(KNOWN, replace(KNOWN, **change)))
    assert matching(*pair(KNOWN, replace(KNOWN))).pairs == []


def test_a_cover_knows_addresses_by_the_objects_that_they_name() -> None:
    a, b = pair(*[replace(KNOWN, buffer=address_of(number)) for number in (FIRST_HEAP, FIRST_HEAP + 1)])
    for state in (a, b):
        state.heap_count = 2
        for number in (FIRST_HEAP, FIRST_HEAP + 1):
            state.memory.add(number, MemoryObject(bytearray(1), 1, "heap", "malloc"))
    assert matching(a, b).objects == {FIRST_HEAP: FIRST_HEAP + 1}


@pytest.mark.parametrize("change", CHANGED)
def test_an_interpolant_is_of_states_that_remember_the_same(change: dict[str, Any]) -> None:
    a, b = pair(KNOWN, replace(KNOWN, **change))
    assert not Fixed.of(a).fits(b)
    b.remembered[KERNEL] = replace(KNOWN)
    assert Fixed.of(a).fits(b)


def audited(made: State, parents: tuple[State, State]) -> set[ObligationOutcome]:
    return set(Prover(Z3Solver(), FOREVER).prove(list(JoinClaim(parents, made).obligations())))


@pytest.mark.parametrize("change", CHANGED)
def test_the_audit_fails_a_wrong_join(change: dict[str, Any]) -> None:
    parents = pair(KNOWN, replace(KNOWN, load=1, clock=2))
    made = summary_join().join(*parents)
    assert isinstance(made, State)
    assert audited(made, parents) == {ObligationOutcome.PROVED}
    kernel = made.remembered[KERNEL]
    assert kernel is not None
    made.remembered[KERNEL] = replace(kernel, **change)
    assert ObligationOutcome.FAILED in audited(made, parents)


def test_what_names_are_made_of_keeps_no_states_apart() -> None:
    a, b = pair(KNOWN, KNOWN)
    count, given = Fact("count", CountPart(), 0), FactFamily[Value | None]("given", FirstNamePart(), None).of("x")
    a.remembered[count], b.remembered[given] = 2, symbol("given", 8)
    assert matching(a, b).pairs == []
    assert Fixed.of(a).fits(b)
    made = summary_join().join(a, b)
    assert isinstance(made, State)
    assert (made.remembered[count], made.remembered[given]) == (2, symbol("given", 8))
    assert audited(made, (a, b)) == {ObligationOutcome.PROVED}
    made.remembered[count] = 1
    assert ObligationOutcome.FAILED in audited(made, (a, b))


def test_a_field_that_declares_nothing_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Silent(Kernel):
        load: int = 0

    with pytest.raises(TypeError, match=r"Silent\.load does not declare"):
        parts_of(Silent(()))
    first = Silent((), load=1)
    with pytest.raises(TypeError):
        summary_join().join(*pair(first, replace(first, load=2)))
    with pytest.raises(TypeError):
        matching(*pair(first, replace(first, load=2)))


@pytest.mark.parametrize("record", [Kernel(()), Inode("file", 0o644), OpenFile(1, 0), Descriptor(1)])
def test_each_field_of_the_kernel_declares_how_it_meets_its_like(record: object) -> None:
    assert parts_of(record)


def test_no_two_facts_have_one_name() -> None:
    names = [name for path in SOURCES.rglob("*.py") for name in DECLARATION.findall(path.read_text())]
    assert "rand" in names
    assert len(names) == len(set(names))


def test_what_is_as_at_the_start_was_never_set() -> None:
    a, b = pair(KNOWN, KNOWN)
    fact = Fact("count", EqualPart(), 0)
    a.remembered[fact] = 4
    assert a.remembered != b.remembered
    a.remembered[fact] = 0
    assert a.remembered == b.remembered
    other = a.fork()
    other.remembered[fact] = 1
    assert a.remembered[fact] == 0
