"""Each field of a state is proved, or one that no behaviour depends on: a new field fails here until that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.reduce.merge.small_states import FUNCTION, WIDTH, X, less, state_of, summary_join
from unfork.engine.memory.uninitialised import COPIED, LABELS
from unfork.engine.state.inputs import InputObject, Inputs
from unfork.engine.state.lazy import LazyHeap
from unfork.engine.state.memory import FIRST_HEAP, FIRST_STACK, Memory, MemoryObject, Released
from unfork.engine.state.origins import ByteOrigins, OriginRange, UnwrittenBytes
from unfork.engine.state.remembered import Fact, Remembered
from unfork.engine.state.state import AGENDA, EXIT_HANDLERS, JUMP_TARGETS, STATUS, Frame, OtherActivation, State
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.types import IntType
from unfork.reduce.audit.audited_join import JoinClaim
from unfork.reduce.audit.prove import ObligationOutcome, Prover
from unfork.world.library.number_functions import RAND

BRANCH = less(X, 5)
assert isinstance(BRANCH, Term)
Tamper = Callable[[State], object]


def parents() -> tuple[State, State]:
    """Two sides of a branch that differ in a register, in a byte, and in a bit of everything else."""
    a, b = state_of([1, 2, 3], [BRANCH], [7, 8, None]), state_of([4, 2, 3], [build.negate(BRANCH)], [7, 9, None])
    for state in (a, b):
        state.inputs = Inputs([InputObject("x", "symbolic", 1, ((X, 1),))])
        state.heap_count = 4
        state.remembered[STATUS] = 3
        state.remembered[EXIT_HANDLERS] = (("end", 5),)
        state.remembered[RAND] = 6
        state.remembered[LABELS.of("p")] = 2
        state.remembered[COPIED.of("p[0]")] = symbol("copied", 8)
        state.output = (None, 1, b"text")
        state.input_counts = {"x": 1}
        state.memory.freed = {FIRST_HEAP + 9: Released("heap", "malloc", 1, "freed", None, None)}
        top = state.frames[-1]
        top.variadic = ((IntType(32), None, 4),)
        top.activation = top.ordinal = top.stack_bytes = 2
        top.locals = (FIRST_STACK,)
        top.calls, top.repetitions = {"g": 2}, {1: 2}
        top.ended = {FIRST_STACK + 1: MemoryObject(bytearray(1), 1, "stack", "local")}
        block = state.memory.objects[FIRST_HEAP]
        block.updates = ("hint",)
        block.origins = ByteOrigins((OriginRange(2, 3, UnwrittenBytes("other")),))
    return a, b


def endings(tamper: Tamper) -> Counter[ObligationOutcome]:
    a, b = parents()
    made = summary_join().join(a, b)
    assert isinstance(made, State), made
    tamper(made)
    return Counter(Prover(Z3Solver(), FOREVER).prove(list(JoinClaim((a, b), made).obligations())))


def to(name: str, value: Any) -> Tamper:
    return lambda state: setattr(state, name, value)


def frame(name: str, value: Any) -> Tamper:
    return lambda state: setattr(state.frames[-1], name, value)


def block(change: Callable[[MemoryObject], object]) -> Tamper:
    return lambda state: change(state.memory.objects[FIRST_HEAP])


def origins(item: MemoryObject) -> None:
    item.origins = ByteOrigins((OriginRange(2, 3, UnwrittenBytes("another")),))


def fact(name: Fact[Any], value: Any) -> Tamper:
    return lambda state: state.remembered.__setitem__(name, value)


OTHER = Frame.begin(FUNCTION, 0, 0, None)
STATE: dict[str, Tamper] = {
    "frames": lambda state: state.frames.append(OTHER),
    "heap_count": to("heap_count", 3),
    "input_counts": to("input_counts", {}),
    "inputs": to("inputs", ()),
    "joined_under": to("joined_under", build.negate(BRANCH)),
    "lazy": to("lazy", LazyHeap(pointers={(1, 1): 1})),
    "memory": to("memory", Memory()),
    "output": to("output", (None, 1, b"test")),
    "path": to("path", PathCondition.EMPTY.extended([BRANCH], [])),
    "remembered": to("remembered", Remembered()),
}
"""``over`` has a test of its own."""
NO_BEHAVIOUR = {"depth", "forks", "instructions", "looked", "multiplicity", "node", "pending", "token"}
NO_BEHAVIOUR |= {
    "proof"
}  # runs have none, and joins of proofs are not audited: tests/reduce/merge/test_joined_proof.py
NO_BEHAVIOUR |= {"iterations", "suspect", "volatile_reads"}  # what was seen of a path that may come back to a state
FRAME: dict[str, Tamper] = {
    "activation": frame("activation", 7),
    "block": frame("block", 7),
    "calls": frame("calls", {"g": 1}),
    "elsewhere": frame("elsewhere", (OtherActivation(1, (0, 2), [1, 2, 3, None, None]),)),
    "ended": frame("ended", None),
    "function": frame("function", None),
    "index": frame("index", 1),
    "locals": frame("locals", ()),
    "ordinal": frame("ordinal", 1),
    "registers": frame("registers", [1, 2, 3, None, None]),
    "repetitions": frame("repetitions", None),
    "stack_bytes": frame("stack_bytes", 1),
    "variadic": frame("variadic", ((IntType(32), None, 5),)),
}
BLOCK: dict[str, Tamper] = {
    "data": block(lambda item: item.write(1, 1, 8)),
    "gone": block(lambda item: item.vanish(BRANCH)),
    "kind": block(lambda item: setattr(item, "kind", "stack")),
    "limit": block(lambda item: setattr(item, "limit", 9)),
    "mask": block(lambda item: item.make_uninitialised(0, 1)),
    "origins": block(origins),
    "read_only": block(lambda item: setattr(item, "read_only", True)),
    "size": block(lambda item: setattr(item, "size", 2)),
    "symbolic": block(lambda item: item.write(0, 1, symbol("free", 8))),
    "updates": block(lambda item: setattr(item, "updates", ("hint", "another"))),
}
FACTS: dict[str, Tamper] = {
    "agenda": fact(AGENDA, (("f", ()),)),
    "exit handlers": fact(EXIT_HANDLERS, (("end", 4),)),
    "exit status": fact(STATUS, 2),
    "jump targets": fact(JUMP_TARGETS, {1: (1, 1, 1, 1)}),
    "rand": fact(RAND, 5),
    "label": fact(LABELS.of("p"), 1),
    "copied byte": fact(COPIED.of("p[0]"), symbol("another", 8)),
}
NAMES = {"label", "name", "owner", "pieces", "site", "sites", "type"}
"""What messages, assumptions and names of inputs are made of."""


DERIVED = {"is_stowed", "is_parted", "pages", "has_names"}
"""What follows from the contents, and from the input's heap."""


def test_every_field_is_looked_at() -> None:
    assert set(State.__slots__) == STATE.keys() | NO_BEHAVIOUR | {"over"}
    assert set(Frame.__slots__) == FRAME.keys() | {"owner", "entered", "turning"}
    assert set(MemoryObject.__slots__) == BLOCK.keys() | NAMES | DERIVED


def test_the_join_as_it_is_is_proved() -> None:
    assert endings(lambda state: None).keys() == {ObligationOutcome.PROVED}


EVERY = [
    (f"{part} {name}", tamper)
    for part, table in (("state", STATE), ("frame", FRAME), ("object", BLOCK), ("fact", FACTS))
    for name, tamper in table.items()
]


@pytest.mark.parametrize("tamper", [tamper for _, tamper in EVERY], ids=[name for name, _ in EVERY])
def test_a_wrong_field_fails(tamper: Tamper) -> None:
    assert endings(tamper)[ObligationOutcome.FAILED] > 0


def test_what_was_forgotten_is_said() -> None:
    """A number that became any number is fine in a state that says so, and not in another."""

    def forget(state: State) -> None:
        state.frames[-1].registers[0] = symbol("anything", WIDTH)

    def say(state: State) -> None:
        forget(state)
        state.over = True

    assert endings(forget)[ObligationOutcome.FAILED] > 0
    assert endings(say).keys() == {ObligationOutcome.PROVED}


def test_the_note_of_a_parent_is_kept() -> None:
    a, b = parents()
    a.over = True
    made = summary_join().join(a, b)
    assert isinstance(made, State)
    made.over = False
    prover = Prover(Z3Solver(), FOREVER)
    assert ObligationOutcome.FAILED in prover.prove(list(JoinClaim((a, b), made).obligations()))
