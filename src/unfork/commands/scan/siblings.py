"""The siblings of a failing path: all inputs with which a function decides as it did there, up to the fault.

A model leads the path once. Then all first states go the same way, block by block; a state that leaves it is no
sibling. Some siblings fail as the path did, others survive.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from unfork.engine.machine.machine import Machine
from unfork.engine.memory.lazy_objects import length_name
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.lazy import LazyHeap, cell_path
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import State
from unfork.engine.state.text_contents import TextContents
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import Conduct, InputSource
from unfork.engine.step.follow import Guided, follow
from unfork.logic.solve.chain import GRACE, Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Feasibility
from unfork.logic.terms import build
from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.patience import Patience, longest
from unfork.program.c.callbacks import PREFIX
from unfork.program.facts.address_uses import is_failed_check
from unfork.program.facts.cfg import targets
from unfork.program.llvm.c_types import Pointer
from unfork.program.llvm.ir import Call, GlobalAddress
from unfork.program.llvm.module import LIBRARY_FOLDER, Function, Program
from unfork.report.replay.walk import leads_on, of_own_blocks
from unfork.world.inputs.testcase import Error, error_of

MOST_STEPS = 1_500
"""The most steps for all siblings of a path."""

LIMITS = frozenset(("capacity", "bound"))
"""Reasons for leaving out inputs beyond the user's own limits, which say nothing about the others."""
TOO_MANY = "too many paths decide alike"
_MANY = 32
"""If there are too many siblings to explore: with this many that fail and no survivor, assume that the rest fail."""

Place = tuple[int, int]
"""The number of an object and an offset in it; for an argument, ARGUMENT and its position."""
ARGUMENT = -1
NAMELESS = "a pointer"
"""What a pointer is called that has no C expression."""


@dataclass(frozen=True, slots=True)
class RestPlace:
    """Where a path rests: the number of frames, and the block of the innermost one."""

    depth: int
    function: Function
    block: int
    index: int


@dataclass(frozen=True, slots=True)
class Sibling:
    """A path that decided alike. ``lengths``: of its path condition at each rest. ``required``: the condition (1 bit)
    that it violated, if any.
    """

    state: State
    lengths: tuple[int, ...]
    required: Value = 1


@dataclass(frozen=True, slots=True)
class Siblings:
    """Where all went (``places``), which failed alike, and which survived. The search ends when one of each has the
    path's pointers; if these are not plain, when one fails with them and one survives with others.

    ``granted``: what checks took for granted, which is no decision. ``decided``: what instructions decided before the
    fault; ``tested``: those of the project's own code. ``undecided``: why there may be others.
    """

    places: tuple[RestPlace, ...]
    failing: tuple[Sibling, ...]
    surviving: tuple[Sibling, ...]
    granted: frozenset[Term]
    decided: tuple[Term, ...]
    tested: tuple[Term, ...]
    undecided: str | None
    look: str | None
    """Where one read an address as a number, or compared addresses of two objects."""
    have_one_heap: bool = False
    """Whether what is not plain of the path's pointers is so for all: tests of the code leave nothing else."""

    def are_known(self, lazy: LazyHeap) -> bool:
        """Whether all are explored, or so many fail that the rest is assumed to. ``lazy`` is the path's input heap."""
        are_many = self.undecided == TOO_MANY and len(self.failing) >= _MANY and is_plain(lazy)
        return self.undecided is None or are_many


NOT_FOLLOWED = Siblings((), (), (), frozenset(), (), (), "the path cannot be followed", None)
"""Of a path that cannot be followed: no sibling is known."""


@dataclass(slots=True)
class _Ends:
    """The siblings that came to the end of a path with the input ``heap``; ``special`` are its pointers that are not
    plain.
    """

    heap: LazyHeap
    special: Set[Place]
    failing: list[Sibling] = field(default_factory=list)
    surviving: list[Sibling] = field(default_factory=list)
    are_all: bool = True
    """Whether none was left on its way for want of time."""
    _one_fails_alike: bool = False
    _one_survives_alike: bool = False
    one_survives_elsewhere: bool = False

    def fail(self, sibling: Sibling) -> None:
        """Note one that failed as the path did."""
        self.failing.append(sibling)
        self._one_fails_alike |= agrees(sibling.state.lazy, self.heap)

    def survive(self, sibling: Sibling, *, has_ended: bool = True) -> None:
        """Note one that did not; unless it ``has_ended`` well, it failed otherwise."""
        self.surviving.append(sibling)
        self._one_survives_alike |= has_ended and agrees(self.heap, sibling.state.lazy)
        self.one_survives_elsewhere |= self.is_elsewhere(sibling.state)

    @property
    def are_enough(self) -> bool:
        """Whether more would tell nothing new."""
        return self._one_fails_alike and (self.one_survives_elsewhere if self.special else self._one_survives_alike)

    @property
    def show_another_input(self) -> bool:
        """Whether one survives where a pointer leads elsewhere that is not plain on the path."""
        return self._one_fails_alike and self.one_survives_elsewhere

    def have_one_heap(self, killed: Sequence[Killed]) -> bool:
        """Whether what is not plain of the path's pointers is so for all, also those that were given up."""
        ended = [each.state for each in (*self.failing, *self.surviving)]
        ended += [each.state for each in killed]
        return self.are_all and bool(self.special) and not any(map(self.is_elsewhere, ended))

    def has_others_alike(self, state: State) -> bool:
        """Whether all pointers lead where they do on the path that are plain there."""
        return all(place in self.special for place, _ in differences(self.heap, state.lazy))

    def is_elsewhere(self, state: State) -> bool:
        """Whether a pointer leads elsewhere that is not plain on the path."""
        return any(place in self.special for place, _ in differences(self.heap, state.lazy))


class _Waiting(NamedTuple):
    """A state on its way, and the instructions it had executed when it last rested."""

    state: State
    lengths: tuple[int, ...]
    before: int


class _Queue:
    """The states on their way. The path itself, which has a ``model``, goes first; then those that have other pointers
    only where its own are not plain.
    """

    def __init__(self, ends: _Ends, model: Model) -> None:
        self._ends, self._model = ends, model
        self._itself, self._near, self._others = deque[_Waiting](), deque[_Waiting](), deque[_Waiting]()
        self.steps = 0

    def __bool__(self) -> bool:
        return bool(self._itself or self._near or self._others)

    def wait(self, state: State, since: int, lengths: tuple[int, ...], before: int) -> None:
        """Add a state. ``since``: the length of its path condition when this was last asked."""
        queue = self._others
        if self._ends.has_others_alike(state):
            is_alike = agrees(state.lazy, self._ends.heap)
            is_path = is_alike and all(evaluate(each, self._model) for each in state.path.constraints(since))
            queue = self._itself if is_path else self._near
        queue.append(_Waiting(state, lengths, before))

    def next(self, *, one_by_one: bool) -> _Waiting:
        """The state to go on with: all go together, or if they are too many for that ``one_by_one`` to its end."""
        self.steps += 1
        queue = self._itself or self._near or self._others
        return queue.pop() if one_by_one else queue.popleft()


class _ByModel:
    """Guides a path by a model of its path condition."""

    def __init__(self) -> None:
        self.model = Model({})

    def decide(self, condition: Value) -> bool:
        return evaluate(condition, self.model) != 0

    def choose(self, value: Value) -> int:
        return evaluate(value, self.model)

    def knows(self, condition: Value) -> bool:
        return evaluate(condition, self.model) != 0

    def worth(self, value: Value) -> int:
        return evaluate(value, self.model)


class _NotingChain:
    """Answers like ``chain``, and records what instructions decide (``decided``) and what the project's own do, by
    branches (``tested``) and by choices of values (``chosen``): a library's questions do not show what a caller knows.
    """

    def __init__(self, chain: Chain, coverage: BranchCoverage, library: Container[str]) -> None:
        self.chain = chain
        self.statistics = chain.statistics
        self.checked: set[Term] = set()
        """What checks of the compiler's decided."""
        self.decided: dict[Value, None] = {}
        self.tested: dict[Value, None] = {}
        self.chosen: dict[Value, None] = {}
        self._coverage = coverage
        self._library = library

    @property
    def deadline(self) -> float:
        return self.chain.deadline

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        if self._is_check():
            sides = condition, build.negate(condition)
            self.checked.update(each for side in sides if isinstance(side, Term) for each in conjuncts(side))
            return self.chain.branch(path, condition)
        self.decided[condition] = None
        self._note(condition)
        return self.chain.branch(path, condition)

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        assert self._coverage.running is not None
        if self._coverage.running.frames and not self._is_check():  # without a frame, the world begins
            self._note(condition)
        return self.chain.assume(path, condition)

    def forget(self) -> None:
        self.checked.clear()
        self.decided.clear()
        self.tested.clear()
        self.chosen.clear()

    def note_choice(self, condition: Term) -> None:
        """Record the condition of a choice in the project's own code."""
        assert self._coverage.running is not None
        if self._coverage.running.frames[-1].function.name not in self._library:
            self.chosen[condition] = None

    def _note(self, condition: Value) -> None:
        """Record what a branch or a switch of the project decides."""
        function, after = self._targets()
        if function.name not in self._library and len(after) > 1:
            self.tested[condition] = None

    def _is_check(self) -> bool:
        """Whether a check of the compiler's runs."""
        function, after = self._targets()
        return len(after) > 1 and any(is_failed_check(function.blocks[each]) for each in after)

    def _targets(self) -> tuple[Function, tuple[int, ...]]:
        """The function that runs, and the targets of its instruction."""
        assert self._coverage.running is not None
        frame = self._coverage.running.frames[-1]
        return frame.function, targets(frame.function.blocks[frame.block].body[frame.index - 1])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.chain, name)


class _Granting(Conduct):
    """Explores every feasible side, and records what checks, assumptions and limits take for granted."""

    def __init__(self, noting: _NotingChain, source: InputSource) -> None:
        super().__init__(noting, source)
        self._noting, self._chain = noting, noting.chain
        self.granted: set[Term] = set()
        self.failing: list[tuple[PathCondition, Value]] = []
        """Where a check of the step failed, and what it required."""

    def assumption(self, path: PathCondition, condition: Value) -> Feasibility:
        good = self._chain.assume(path, condition)
        self._note(path, good)
        return good

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        good, bad = self.limit(path, condition)
        if isinstance(bad, PathCondition):
            self.failing.append((bad, condition))
        return good, bad

    def chosen(self, condition: Term) -> None:
        if not self.failing:  # what a path chooses after the fault is no test of what it needs
            self._noting.note_choice(condition)

    def limit(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        good, bad = self._chain.branch(path, condition)
        self._note(path, good)
        return good, bad

    def required_of(self, failed: State) -> Value:
        """What a check required of a state that just failed it; 1 if the state fails unconditionally."""
        return next((condition for path, condition in self.failing if path is failed.path), 1)

    def _note(self, path: PathCondition, good: Feasibility) -> None:
        if isinstance(good, PathCondition):
            self.granted.update(good.constraints(path.length))


class SiblingFamily:
    """Finds the siblings of paths of one function, each in at most ``patience`` seconds.

    ``machine`` takes loops turn by turn; ``first`` makes the first states.
    """

    def __init__(
        self, machine: Machine, chain: Chain, first: Callable[[Machine], list[State]], patience: float
    ) -> None:
        self._patience = patience
        self._guide = _ByModel()
        source = machine.step_of_instructions().source
        self._leading = machine.following(Conduct(Guided(self._guide), source), BranchCoverage())
        coverage = BranchCoverage()
        self._sightings = machine.sightings
        self._sightings.but_in = LIBRARY_FOLDER
        self._noting = _NotingChain(chain, coverage, machine.program.library)
        self._granting = _Granting(self._noting, source)
        self._machine = machine.following(self._granting, coverage)
        self._first = first
        self._rest = YieldPoints(partial(of_own_blocks, machine.program))
        self._depth = sys.maxsize

    def of(self, failed: Failed) -> Siblings:
        """The siblings of a path that failed; NOT_FOLLOWED if it cannot be followed."""
        self._depth = sys.maxsize
        places = self._places(failed)
        self._sightings.first = None
        return NOT_FOLLOWED if places is None else self._along(places, failed)

    def freer(self, failed: Failed, places: Iterable[RestPlace], depth: int) -> Siblings:
        """The siblings that may decide otherwise while the path, which rested at ``places``, had more than ``depth``
        frames.
        """
        self._depth, self._sightings.first = depth, None
        return self._along([each for each in places if each.depth <= depth], failed)

    def _places(self, failed: Failed) -> list[RestPlace] | None:
        """Where the path rested; None if it cannot be followed."""
        self._guide.model = _model_of(failed.state)
        heap = failed.state.lazy

        def agreeing(outcomes: list[Outcome]) -> list[Outcome]:
            left = [each for each in outcomes if not isinstance(each, Killed)] or outcomes
            return [each for each in left if agrees(each.state.lazy, heap)]

        started = agreeing([Running(state) for state in self._first(self._leading)])
        if len(started) != 1:
            return None
        places: list[RestPlace] = []
        before, patience = -1, Patience(self._patience)
        for outcome in follow(self._leading, started[0].state, self._rest, agreeing):
            if isinstance(outcome, Running):
                if patience.is_over():
                    return None
                if self._rests(outcome.state, before):
                    places.append(_place(outcome.state))
                    before = outcome.state.instructions
            elif isinstance(outcome, Failed) and error_of(outcome.fault) == error_of(failed.fault):
                return places
        return None

    def _along(self, places: list[RestPlace], failed: Failed) -> Siblings:
        self._granting.granted.clear()
        decided, tested, undecided = dict[Value, None](), dict[Value, None](), None
        killed, checked = list[Killed](), set[Term]()
        error, heap = error_of(failed.fault), failed.state.lazy
        ends = _Ends(heap, not_plain(heap))
        queue = _Queue(ends, _model_of(failed.state))
        wait = queue.wait
        for state in self._first(self._machine):
            rests = self._rests(state, -1)
            wait(state, 0, (state.path.length,) if rests else (), state.instructions if rests else -1)
        patience, half = Patience(self._patience), Patience(self._patience / 2)
        while queue and not ends.are_enough:
            state, lengths, before = queue.next(one_by_one=queue.steps > MOST_STEPS // 2 or half.is_over())
            if queue.steps > MOST_STEPS or patience.is_over():
                undecided, ends.are_all = None if ends.show_another_input else TOO_MANY, False
                break
            is_last, since = len(lengths) == len(places), state.path.length
            self._granting.failing.clear()
            self._noting.forget()
            outcomes = self._step(state, patience)
            decided |= {} if is_last else self._noting.decided
            checked |= set() if is_last else self._noting.checked
            tested |= {} if is_last else self._noting.tested
            tested |= self._noting.chosen if not is_last or _one_fails(outcomes, error) else {}
            for outcome in outcomes:
                after = outcome.state
                match outcome:
                    case Running() if not self._rests(after, before):
                        wait(after, since, lengths, before)
                    case Running() if is_last:
                        ends.survive(Sibling(after, lengths))
                    case Running():
                        if _place(after) == places[len(lengths)]:
                            wait(after, since, (*lengths, after.path.length), after.instructions)
                    case Failed() if is_last and _fails_with(outcome, error):
                        ends.fail(Sibling(after, lengths, self._granting.required_of(after)))
                    case Failed() | Halted() if is_last and _survives(outcome, heap):
                        ends.survive(Sibling(after, lengths), has_ended=isinstance(outcome, Halted))
                    case Killed():
                        killed.append(outcome)
        return Siblings(
            tuple(places),
            tuple(ends.failing),
            tuple(ends.surviving),
            frozenset(self._granting.granted | checked),
            _terms(decided),
            _terms(tested),
            _left_out(killed, ends) or undecided,
            self._sightings.first,
            ends.have_one_heap(killed),
        )

    def _step(self, state: State, patience: Patience) -> list[Outcome]:
        """The outcomes of a step, which ends soon after ``patience``: what it asks then is not known."""
        chain = self._noting.chain
        before = chain.deadline
        chain.deadline = min(before, time.monotonic() + longest(patience.left()))
        chain.last = chain.deadline + GRACE
        try:
            return self._machine.step(state, self._rest)
        finally:
            chain.deadline, chain.last = before, FOREVER

    def _rests(self, state: State, before: int) -> bool:
        """Whether a state rests. It does not while it retries an instruction, as after ``before`` instructions."""
        return state.instructions != before and self._rest.is_at(state) and len(state.frames) <= self._depth


def _fails_with(outcome: Outcome, error: Error) -> bool:
    return isinstance(outcome, Failed) and error_of(outcome.fault) == error


def _one_fails(outcomes: Iterable[Outcome], error: Error) -> bool:
    return any(_fails_with(each, error) for each in outcomes)


def _survives(outcome: Failed | Halted, heap: LazyHeap) -> bool:
    """Whether a sibling survives: it ends, or fails otherwise with other pointers."""
    return outcome.end != "silent" if isinstance(outcome, Halted) else not agrees(outcome.state.lazy, heap)


def _model_of(failed: State) -> Model:
    """A model of a path with what siblings may ask for: all characters of its texts, lengths, and bytes that it read at
    unknown offsets.
    """
    model, lazy = failed.path.model(), failed.lazy
    contents, values = TextContents(lazy, model), dict(model.values)
    for text in lazy.objects:
        if text.is_text and text.cells is not None:
            characters = contents.of(text)
            for index, cell in text.cells.within(0, len(characters)):
                values.setdefault(symbol(cell_path(text, index, cell), 8), characters[index])
            values[symbol(length_name(text), 64)] = len(characters) - 1
    for number in lazy.points:
        buffer = lazy.find(number)
        if buffer is None or buffer.is_text or buffer.cells is None:
            continue
        for at, byte in lazy.characters_at_points(number, model).items():
            [(index, cell)] = buffer.cells.within(at, at + 1)
            values.setdefault(symbol(cell_path(buffer, index, cell), 8), byte)
    return Model(values)


def agrees(lazy: LazyHeap, heap: LazyHeap) -> bool:
    """Whether an input heap is the same as another one as far as both were read."""
    return not any(differences(lazy, heap)) and _have_same_members(lazy, heap)


def _have_same_members(lazy: LazyHeap, heap: LazyHeap) -> bool:
    """Whether unions hold pointers at the same places in two input heaps, as far as both were read."""
    mine, others = _bytes_of_unions(lazy), _bytes_of_unions(heap)
    return all(mine[place] == others[place] for place in mine.keys() & others.keys())


def _bytes_of_unions(lazy: LazyHeap) -> dict[Place, bool]:
    """Whether each byte of unions is one of a pointer."""
    return {
        (number, at): isinstance(cell.type, Pointer)
        for (number, offset), cell in lazy.cells_of_unions().items()
        for at in range(offset, offset + cell.size)
    }


def differences(lazy: LazyHeap, heap: LazyHeap) -> Iterator[tuple[Place, int]]:
    """The pointers that lead elsewhere in another input ``heap`` as far as both were read, with their targets here."""
    for at, (mine, other) in enumerate(zip(lazy.arguments, heap.arguments, strict=False)):
        if isinstance(mine.value, int) and mine.value != other.value:
            yield (ARGUMENT, at), mine.value
    for place, address in lazy.pointers.items():
        if heap.pointers.get(place, address) != address:
            yield place, address


def passes_other_function(lazy: LazyHeap, heap: LazyHeap) -> bool:
    """Whether an input has another function where a function of the caller's own is in ``heap``."""
    known = {key: address for key, address in heap.pointers.items() if _is_of_caller(heap, address)}
    return any(lazy.pointers.get(key, address) != address for key, address in known.items()) or any(
        isinstance(their.value, int) and _is_of_caller(heap, their.value) and mine.value != their.value
        for mine, their in zip(lazy.arguments, heap.arguments, strict=False)
    )


def _is_of_caller(heap: LazyHeap, address: int) -> bool:
    return heap.functions.get(address, "").startswith(PREFIX)


def runs_through_pointer(program: Program, name: str, places: Iterable[RestPlace]) -> bool:
    """Whether a path that rested at some places ran a function to which a pointer led: a function of the project called
    that, or one of the library that was given it.
    """
    for before, place in pairwise(places):
        if place.function.name == name and place.depth > before.depth:
            body = before.function.blocks[before.block].body[before.index :]
            call = next((each for each in body if leads_on(program, each)), None)
            is_by_name = isinstance(call, Call) and isinstance(call.callee, GlobalAddress)
            if place.depth > before.depth + 1 or not is_by_name:
                return True
    return False


def pointers_of(lazy: LazyHeap) -> list[tuple[Place, int]]:
    """The pointers of an input as far as it was read, and where they lead."""
    values = [(at, each.value) for at, each in enumerate(lazy.arguments)]
    return [*lazy.pointers.items(), *(((ARGUMENT, at), value) for at, value in values if isinstance(value, int))]


def is_plain(lazy: LazyHeap) -> bool:
    """Whether each pointer that was read leads to an object of its own, which is no variable."""
    return not not_plain(lazy)


def not_plain(lazy: LazyHeap) -> frozenset[Place]:
    """The pointers that were read and are null, or lead to a variable, or where the pointer leads that was first."""
    known = [(place, address, lazy.find(object_of(address))) for place, address in pointers_of(lazy)]
    counts = Counter(goal.number for _, _, goal in known if goal is not None)
    return frozenset(
        place
        for place, address, goal in known
        if address == 0
        or (goal is not None and goal.variable is not None)
        or (goal is not None and counts[goal.number] > 1 and goal.path != path_at(lazy, place))
    )


def path_at(lazy: LazyHeap, place: Place) -> str:
    """The C expression of a pointer in the input."""
    number, offset = place
    if number == ARGUMENT:
        return lazy.arguments[offset].name
    item = lazy.find(number)
    if item is None or item.cells is None:
        return NAMELESS
    return cell_path(item, offset // item.cells.size, lazy.cell_at(number, offset))


def _left_out(killed: Iterable[Killed], ends: _Ends) -> str | None:
    """Why it is unknown what happens to some. A sibling that is too large matters if it alone may survive with other
    pointers where those of the path are not plain; one with another function in place of the caller's own does not.
    """
    for each in killed:
        if passes_other_function(each.state.lazy, ends.heap):
            continue
        if each.reason not in LIMITS or (ends.is_elsewhere(each.state) and not ends.one_survives_elsewhere):
            return each.detail
    return None


def _terms(values: Iterable[Value]) -> tuple[Term, ...]:
    return tuple([each for each in values if isinstance(each, Term)])


def _place(state: State) -> RestPlace:
    frame = state.frames[-1]
    return RestPlace(len(state.frames), frame.function, frame.block, frame.index)
