"""Each field of a state has a rule: a field that no join handles fails here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.reduce.merge.small_states import FUNCTION, WIDTH, X, Y, less, state_of, summary_join
from unfork.engine.memory.uninitialised import COPIED, LABELS
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.address_pieces import AddressPiece
from unfork.engine.state.inputs import InputObject, Inputs
from unfork.engine.state.lazy import FIRST_LAZY, LazyHeap, LazyObject
from unfork.engine.state.memory import FIRST_HEAP, FIRST_STACK, Memory, MemoryObject, Released
from unfork.engine.state.origins import OriginRange, UnwrittenBytes
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import (
    AGENDA,
    EXIT_HANDLERS,
    JUMP_TARGETS,
    STATUS,
    EarlierState,
    Frame,
    LoopVisit,
    OtherActivation,
    State,
)
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.c_types import VOID
from unfork.reduce.merge import states
from unfork.world.inputs.arguments import ARGUMENT
from unfork.world.library.number_functions import RAND
from unfork.world.library.print_functions import BUFFERED

BRANCH = less(X, 5)
FIRST, SECOND = Model({X: 1}), Model({X: 9})


def pair() -> tuple[State, State]:
    """Two sides of a branch that are otherwise alike, with one block."""
    return state_of([1, 1, 1], [BRANCH], [7, 8]), state_of([1, 1, 1], [build.negate(BRANCH)], [7, 8])


def joined(a: State, b: State) -> State:
    made = summary_join().join(a, b)
    assert isinstance(made, State), made
    return made


def refused(a: State, b: State, reason: str) -> None:
    for order in ((a, b), (b, a)):
        assert summary_join().join(*order) == Refusal(reason)


def larger(name: str) -> Callable[[], None]:
    def check() -> None:
        a, b = pair()
        setattr(a, name, 3)
        setattr(b, name, 5)
        assert getattr(joined(a, b), name) == getattr(joined(b, a), name) == 5

    return check


def remembered() -> None:
    a, b = pair()
    a.remembered[RAND], b.remembered[RAND] = 3, 4
    a.remembered[LABELS.of("p")], b.remembered[LABELS.of("p")] = 1, 2
    a.remembered[COPIED.of("p[0]")] = symbol("u", 8)
    made = joined(a, b).remembered
    assert (evaluate(made[RAND], FIRST), evaluate(made[RAND], SECOND)) == (3, 4)
    assert made[LABELS.of("p")] == 2
    assert made[COPIED.of("p[0]")] is symbol("u", 8)
    b.remembered[BUFFERED] = True
    refused(a, b, "different buffered output")


def test_exit_handlers() -> None:
    a, b = pair()
    a.remembered[EXIT_HANDLERS], b.remembered[EXIT_HANDLERS] = (("f", 1), ("g", None)), (("f", 2), ("g", None))
    made = joined(a, b).remembered[EXIT_HANDLERS]
    assert evaluate(made[0][1], SECOND) == 2
    assert made[1] == ("g", None)
    b.remembered[EXIT_HANDLERS] = (("f", 1),)
    refused(a, b, "different exit handlers")
    b.remembered[EXIT_HANDLERS] = (("f", 1), ("h", None))
    refused(a, b, "different exit handlers")


def test_the_exit_status() -> None:
    a, b = pair()
    a.remembered[STATUS], b.remembered[STATUS] = 1, 2
    assert evaluate(joined(a, b).remembered[STATUS], SECOND) == 2


@pytest.mark.parametrize(("fact", "value"), [(AGENDA, (("main", ()),)), (JUMP_TARGETS, {1: (1, 1, 0, 0)})])
def test_what_must_agree(fact: Fact[Any], value: Any) -> None:
    a, b = pair()
    a.remembered[fact] = value
    refused(a, b, f"different {fact.name}")
    b.remembered[fact] = value
    assert joined(a, b).remembered[fact] == value


def inputs() -> None:
    a, b = pair()
    common, both, one, other = (InputObject(name, "symbolic", 1, ((symbol(name, 8), 1),)) for name in "pqrs")
    a.inputs, b.inputs = Inputs((common, one, both)), Inputs((common, both, other))
    made = joined(a, b).inputs
    assert [each.name for each in made] == ["p", "r", "q", "s"]
    assert [evaluate(each.guard, FIRST) for each in made] == [1, 1, 1, 0]
    assert [evaluate(each.guard, SECOND) for each in made] == [1, 0, 1, 1]
    assert made.first(1)[0] is common


def input_counts() -> None:
    a, b = pair()
    a.input_counts, b.input_counts = {"x": 2, "y": 1}, {"x": 1, "z": 4}
    assert joined(a, b).input_counts == {"x": 2, "y": 1, "z": 4}


def iterations() -> None:
    """What a side has come to again, the joined state has not."""
    a, b = pair()
    a.suspect, a.iterations[1, a.frames[0].function, 0] = 1, LoopVisit(8, 5, None)
    made = joined(a, b)
    assert (made.suspect, made.iterations) == (0, {})
    other = a.fork()
    other.iterations.clear()
    assert a.iterations


def output() -> None:
    a, b = pair()
    start = (None, 1, b"start ")
    a.output, b.output = (start, 1, b"left"), (start, 1, b"right")
    made = joined(a, b)
    assert made.printed(1) == b"start left"  # the first state's model
    made.output = (made.output, 1, b"!")
    made.path = b.path
    assert made.printed(1) == b"start right!"
    b.output = ((None, 1, b"start "), 1, b"left")
    assert joined(a, b).output is a.output


def looked() -> None:
    """A side that has not moved since it was looked at keeps the joined state from being looked at here."""
    a, b = pair()
    a.instructions = b.instructions = 9
    a.looked, b.looked = (3, 1), (5, 0)
    assert joined(a, b).looked == (5, 0)
    a.looked = (9, 1)
    assert joined(a, b).looked[0] == joined(b, a).looked[0] == 9
    assert a.fork().looked == (9, 1)


def multiplicity() -> None:
    a, b = pair()
    a.multiplicity, b.multiplicity = 3, 4
    assert joined(a, b).multiplicity == 7


def over() -> None:
    a, b = pair()
    assert not joined(a, b).over
    b.over = True
    assert joined(a, b).over
    assert joined(b, a).over
    assert b.fork().over


def pending() -> None:
    a, b = pair()
    a.pending = (1,)
    assert joined(a, b).pending == ()


def token() -> None:
    a, b = pair()
    made = joined(a, b)
    assert made.token is not a.token
    assert made.frames[-1].owner is made.token
    assert made.memory.token not in (a.memory.token, b.memory.token)


def seen_elsewhere() -> None:
    """Tested by what follows, and by the laws."""


def lazy() -> None:
    a, b = pair()
    heap = LazyHeap().with_object(LazyObject(FIRST_LAZY, "l", VOID, None))
    a.lazy, b.lazy = heap.assuming("p"), heap.assuming("q")
    assert joined(a, b).lazy == heap.assuming("p").assuming("q")
    b.lazy = heap.with_pointer(FIRST_LAZY, 8, 0)
    refused(a, b, "different input heaps")


STATE: dict[str, Callable[[], None]] = {
    "depth": larger("depth"),
    "forks": larger("forks"),
    "frames": seen_elsewhere,
    "heap_count": larger("heap_count"),
    "input_counts": input_counts,
    "inputs": inputs,
    "instructions": larger("instructions"),
    "joined_under": seen_elsewhere,
    "looked": looked,
    "lazy": lazy,
    "memory": seen_elsewhere,
    "multiplicity": multiplicity,
    "node": seen_elsewhere,
    "output": output,
    "over": over,
    "path": seen_elsewhere,
    "pending": pending,
    "proof": seen_elsewhere,  # in test_joined_proof.py
    "remembered": remembered,
    "suspect": iterations,
    "token": token,
    "iterations": iterations,
    "volatile_reads": larger("volatile_reads"),
}


def frame_place(name: str) -> Callable[[], None]:
    def check() -> None:
        a, b = pair()
        setattr(a.frames[-1], name, 1)
        refused(a, b, "different places")

    return check


def frame_larger(name: str) -> Callable[[], None]:
    def check() -> None:
        a, b = pair()
        setattr(a.frames[-1], name, 3)
        setattr(b.frames[-1], name, 5)
        assert getattr(joined(a, b).frames[-1], name) == 5

    return check


def counts(name: str) -> Callable[[], None]:
    def check() -> None:
        a, b = pair()
        setattr(a.frames[-1], name, {1: 2, 2: 1})
        setattr(b.frames[-1], name, {1: 1, 3: 1})
        assert getattr(joined(a, b).frames[-1], name) == {1: 2, 2: 1, 3: 1}
        setattr(b.frames[-1], name, None)
        assert getattr(joined(a, b).frames[-1], name) == {1: 2, 2: 1}

    return check


def activation() -> None:
    a, b = pair()
    a.frames[-1].activation = 4
    assert joined(a, b).frames[-1].activation == joined(b, a).frames[-1].activation == 4
    b.frames[-1].ordinal = 1
    refused(a, b, "different activations")


def frame_function() -> None:
    a, b = pair()
    a.frames = [*a.frames, *a.frames]
    refused(a, b, "different stacks")


def registers() -> None:
    a, b = pair()
    a.frames[-1].registers[0], b.frames[-1].registers[0] = 3, 4
    a.frames[-1].registers[4], b.frames[-1].registers[4] = 3, 4  # written before it is read: dead
    made = joined(a, b).frames[-1].registers
    assert made[0] is build.ite(BRANCH, 3, 4, WIDTH)
    assert made[4] is None
    a.frames[-1].registers[0] = None
    refused(a, b, "undefined value")


def local(name: int) -> MemoryObject:
    return MemoryObject(bytearray(2), 2, "stack", f"local{name}")


def scopes() -> None:
    """A local whose scope one side has left is gone there; one that both have left may be entered again."""
    a, b = pair()
    live, left = local(1), local(2)
    number = FIRST_STACK
    a.frames[-1].locals = b.frames[-1].locals = (number, number + 1)
    a.memory.add(number, live)
    a.frames[-1].ended = {number + 1: left}
    b.frames[-1].ended = {number: live, number + 1: left}
    made = joined(a, b)
    assert made.frames[-1].ended == {number + 1: left}
    assert made.memory.objects[number].gone is build.negate(BRANCH)
    assert made.memory.objects[number].limit == -1


def frame_locals() -> None:
    a, b = pair()
    a.frames[-1].locals, b.frames[-1].locals = (1, 2), (1, 3)
    assert joined(a, b).frames[-1].locals == (1, 2, 3)


def variadic() -> None:
    a, b = pair()
    kind = a.frames[-1].function.type.result
    a.frames[-1].variadic, b.frames[-1].variadic = ((kind, None, 1),), ((kind, None, 2),)
    assert evaluate(joined(a, b).frames[-1].variadic[0][2], SECOND) == 2
    b.frames[-1].variadic = ()
    refused(a, b, "different variadic arguments")


def entered() -> None:
    a, b = pair()
    a.frames[-1].entered = b.frames[-1].entered = EarlierState(a.fork())
    assert joined(a, b).frames[-1].entered is None


def turning() -> None:
    a, b = pair()
    a.frames[-1].turning, b.frames[-1].turning = frozenset([1]), frozenset([2])
    assert joined(a, b).frames[-1].turning == {1, 2}


def elsewhere() -> None:
    a, b = pair()
    for state in (a, b):
        caller = Frame.begin(FUNCTION, 0, 0, state.token)
        caller.index = 1
        caller.registers[:3] = [1, 2, 3]
        state.frames.insert(0, caller)
    a.frames[0].elsewhere = (OtherActivation(less(Y, 3), (0, 2), [4, 5, 6]),)
    for made in (joined(a, b), joined(b, a)):
        (other,) = made.frames[0].elsewhere
        assert (other.point, other.registers) == ((0, 2), [4, 5, 6])
        assert [evaluate(other.guard, Model({X: x, Y: y})) for x, y in ((1, 1), (1, 9), (9, 1))] == [1, 0, 0]


FRAME: dict[str, Callable[[], None]] = {
    "activation": activation,
    "block": frame_place("block"),
    "calls": counts("calls"),
    "elsewhere": elsewhere,
    "ended": scopes,
    "entered": entered,
    "function": frame_function,
    "index": frame_place("index"),
    "locals": frame_locals,
    "ordinal": frame_larger("ordinal"),
    "owner": token,
    "registers": registers,
    "repetitions": counts("repetitions"),
    "stack_bytes": frame_larger("stack_bytes"),
    "turning": turning,
    "variadic": variadic,
}


def names() -> None:
    """A pointer may lie in a joined object if it may on either side."""
    for holder in (0, 1):
        sides = pair()
        for state in sides:
            state.memory.add(FIRST_HEAP, MemoryObject(bytearray(16), 16, "heap", "malloc"))
        assert not block_of(sides[holder]).has_names
        block_of(sides[holder]).write(8, 8, FIRST_HEAP << 40)
        assert block_of(joined(*sides)).has_names


def block_of(state: State) -> MemoryObject:
    return state.memory.writable(FIRST_HEAP)


def pieces() -> None:
    """Bytes of addresses on either side are known as such."""
    a, b = pair()
    here, there = AddressPiece(0, 0, (7,)), AddressPiece(1, 3, (8,))
    block_of(a).pieces, block_of(b).pieces = (here,), (here, there)
    assert joined(a, b).memory.objects[FIRST_HEAP].pieces == (here, there)


def contents() -> None:
    a, b = pair()
    block_of(a).write(0, 1, X_BYTE)
    block_of(b).make_uninitialised(1, 1)
    made = joined(a, b)
    item = made.memory.objects[FIRST_HEAP]
    assert item.byte(0) is build.ite(BRANCH, X_BYTE, 7, 8)
    (unwritten,) = made.inputs
    assert (unwritten.kind, unwritten.is_latent, unwritten.guard) == ("uninit", True, build.negate(BRANCH))
    assert item.byte(1) is build.ite(BRANCH, 8, unwritten.leaves[0][0], 8)


X_BYTE = build.zext(X, WIDTH, 8)


def origins() -> None:
    """Copies of different unwritten bytes are different bytes."""
    a, b = pair()
    for state, name in ((a, "p"), (b, "q")):
        item = block_of(state)
        item.make_uninitialised(0, 1)
        item.add_origins((OriginRange(0, 1, UnwrittenBytes(name)),))
    made = joined(a, b)
    assert sorted(one.name for one in made.inputs) == ["uninit:p[0]", "uninit:q[0]"]
    assert made.memory.objects[FIRST_HEAP].mask is not None


def sizes() -> None:
    a, b = pair()
    long = MemoryObject(bytearray(b"12345"), 5, "heap", "malloc")
    b.memory.add(FIRST_HEAP, long)
    item = joined(a, b).memory.objects[FIRST_HEAP]
    assert (evaluate(item.size, FIRST), evaluate(item.size, SECOND), item.limit) == (2, 5, -1)
    assert [evaluate(item.byte(i), SECOND) for i in range(5)] == list(b"12345")
    assert [evaluate(item.byte(i), FIRST) for i in range(2)] == [7, 8]


def kinds() -> None:
    a, b = pair()
    block_of(a).kind = "stack"
    refused(a, b, "different objects")


def read_only() -> None:
    a, b = pair()
    block_of(a).read_only = True
    refused(a, b, "different objects")


def gone() -> None:
    a, b = pair()
    a.memory.free(FIRST_HEAP)
    made = joined(a, b).memory
    assert made.objects[FIRST_HEAP].gone is BRANCH
    assert made.freed.keys() == {FIRST_HEAP}
    block_of(b).vanish(less(X, 12))
    item = joined(a, b).memory.objects[FIRST_HEAP]
    assert evaluate(item.gone, FIRST)
    assert evaluate(item.gone, Model({X: 11}))
    assert not evaluate(item.gone, Model({X: 13}))


def sites() -> None:
    a, b = pair()
    block_of(b).name = "calloc"
    item = joined(a, b).memory.objects[FIRST_HEAP]
    assert item.name == "malloc"
    assert item.sites == ((build.negate(BRANCH), "calloc", None),)


def label() -> None:
    a, b = pair()
    block_of(b).label = "malloc:3"
    assert joined(a, b).memory.objects[FIRST_HEAP].label == "malloc:3"


def types() -> None:
    a, b = pair()
    kind = a.frames[-1].function.type.result
    block_of(a).type = block_of(b).type = kind
    assert joined(a, b).memory.objects[FIRST_HEAP].type is kind
    block_of(b).type = None
    assert joined(a, b).memory.objects[FIRST_HEAP].type is None


def updates() -> None:
    a, b = pair()
    common, own = object(), object()
    block_of(a).updates, block_of(b).updates = (common, own), (common,)
    assert joined(a, b).memory.objects[FIRST_HEAP].updates == (common,)


def stowed() -> None:
    a, b = pair()
    for state, byte in ((a, b"a"), (b, b"b")):
        state.memory.add(FIRST_HEAP, MemoryObject(bytearray(byte * 600), 600, "heap", "malloc"))
        state.memory.objects[FIRST_HEAP].stow([])
    item = joined(a, b).memory.objects[FIRST_HEAP]
    assert not item.is_stowed
    assert (evaluate(item.byte(599), FIRST), evaluate(item.byte(599), SECOND)) == (ord("a"), ord("b"))


def parted() -> None:
    a, b = pair()
    for state in (a, b):
        state.memory.add(FIRST_HEAP, MemoryObject(bytearray(8), 8, "heap", "malloc"))
    a.memory.writable(FIRST_HEAP).mark_parted(is_parted=True)
    refused(a, b, "elements of the input heap")
    b.memory.writable(FIRST_HEAP).mark_parted(is_parted=True)
    item = joined(a, b).memory.objects[FIRST_HEAP]
    assert (item.is_parted, item.limit) == (True, -1)


OBJECT: dict[str, Callable[[], None]] = {
    "data": contents,
    "gone": gone,
    "has_names": names,
    "is_parted": parted,
    "is_stowed": stowed,
    "kind": kinds,
    "label": label,
    "limit": sizes,
    "mask": contents,
    "name": sites,
    "origins": origins,
    "owner": token,
    "pages": stowed,
    "pieces": pieces,
    "read_only": read_only,
    "site": sites,
    "sites": sites,
    "size": sizes,
    "symbolic": contents,
    "type": types,
    "updates": updates,
}


def freed() -> None:
    a, b = pair()
    a.memory.freed = {5: Released("heap", "malloc", 1, "freed", None, None)}
    b.memory.freed = {6: Released("heap", "malloc", 1, "freed", None, None)}
    made = joined(a, b).memory
    assert made.freed.keys() == {5, 6}
    made.free(FIRST_HEAP)
    assert (a.memory.freed.keys(), b.memory.freed.keys()) == ({5}, {6})


def narrow() -> None:
    a, b = pair()
    a.memory.is_narrow = b.memory.is_narrow = True
    assert joined(a, b).memory.is_narrow


MEMORY: dict[str, Callable[[], None]] = {
    "_freed_owner": freed,
    "freed": freed,
    "is_narrow": narrow,
    "objects": gone,
    "token": token,
}

CLASSES: list[tuple[type, dict[str, Callable[[], None]]]] = [
    (State, STATE),
    (Frame, FRAME),
    (MemoryObject, OBJECT),
    (Memory, MEMORY),
]


@pytest.mark.parametrize(("kind", "rules"), CLASSES, ids=[kind.__name__ for kind, _ in CLASSES])
def test_each_field_has_a_rule(kind: type, rules: dict[str, Callable[[], None]]) -> None:
    slots: tuple[str, ...] = kind.__slots__  # type: ignore[attr-defined]  # all of them have slots
    assert set(slots) == set(rules)


def test_nothing_is_left_unset() -> None:
    made = joined(*pair())
    for owner in (made, made.frames[-1], made.memory, made.memory.objects[FIRST_HEAP]):
        for slot in type(owner).__slots__:
            getattr(owner, slot)


RULES = [(f"{kind.__name__}.{name}", check) for kind, rules in CLASSES for name, check in rules.items()]


@pytest.mark.parametrize("check", [check for _, check in RULES], ids=[name for name, _ in RULES])
def test_rule(check: Callable[[], None]) -> None:
    check()


def test_an_argument_of_one_side_is_gone_on_the_other() -> None:
    a, b = pair()
    a.memory.add(FIRST_HEAP - 1, MemoryObject(bytearray(b"x\0"), 2, ARGUMENT, "argv[1]"))
    for made in (joined(a, b), joined(b, a)):
        gone = made.memory.objects[FIRST_HEAP - 1].gone
        assert (evaluate(gone, FIRST), evaluate(gone, SECOND)) == (0, 1)


def test_what_no_condition_mends_is_refused_before_paths_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which would take the solver's time."""
    monkeypatch.delattr(states, "residuals")
    a, b = pair()
    a.remembered[EXIT_HANDLERS] = (("f", 1),)
    refused(a, b, "different exit handlers")
    a, b = pair()
    b.lazy = LazyHeap().with_object(LazyObject(FIRST_LAZY, "l", VOID, None))
    refused(a, b, "different input heaps")
    with pytest.raises(NameError):
        joined(*pair())
