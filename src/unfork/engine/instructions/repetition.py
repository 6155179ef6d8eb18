"""Notices paths that come back to an earlier state: loops that never end, recursion that only grows.

A path in an earlier state, with no input in between, repeats for ever. Unwritten locals are no such inputs: under the
same condition, the path goes this way whatever they hold. Output is no part of a state, since programs cannot read
their streams back. As in Brent (1980), a state is compared with that of the latest visit whose number is a power of
two: this meets cycles of any length, at a small cost per visit. Equal states may have named other objects, unless the
program looks at addresses, and may differ in registers that do not steer the loop (program/facts/function_facts.py),
such as a counter that is never read.

Terms may be equal for some inputs, which then repeat for ever. If these are few, that is a fault under this condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unfork.engine.state.inputs import is_unwritten
from unfork.engine.state.memory import FIRST_STACK, UNINITIALISED, MemoryObject
from unfork.engine.state.objects import changed_numbers
from unfork.engine.state.state import JUMP_TARGETS, EarlierState, Frame, LoopInstance, LoopVisit, RegisterValue, State
from unfork.engine.step.step import Sightings, Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import FactsTable, FunctionFacts
from unfork.program.llvm.types import Position

CHECK = "nontermination"
"""The check for loops that never end, and the kind of its faults."""
FIRST_TURN = 8
"""The first visit of a loop's head that is remembered: most loops end before."""
MOST_DIFFERENCES = 8
"""How many objects a visit remembers that differed later."""
FIRST_DEPTH = 64
"""The first depth of the stack that is remembered."""
FEW_BITS = 16
"""The most bits of inputs for which the path is asked whether two states are equal."""
SMALL = 64
"""The largest object, in bytes, that is compared byte by byte."""


class Repetition:
    """Compares states at heads of loops, if it ``looks_at_loops``, and where deep stacks grow.

    ``sightings`` say whether the program has looked at addresses. A machine that does not watch for that uses
    ``suspicions`` while a recursion is under suspicion (``State.suspect``).
    """

    def __init__(self, facts: FactsTable, sightings: Sightings, *, looks_at_loops: bool) -> None:
        self.looks_at_loops = looks_at_loops
        self.suspicions = sightings if sightings.watches else Sightings(watches=True)
        self._sightings = sightings
        self._facts = facts

    # --- loops ---

    def iteration(self, step: Step) -> None:
        """The state is at the head of a loop: a fault if it equals the state of an earlier visit."""
        state = step.state
        frame = state.frames[-1]
        instance = len(state.frames), frame.function, frame.block
        iteration = state.iterations.get(instance)
        if state.over or (iteration is not None and iteration.instructions == state.instructions):
            return
        count = 1 if iteration is None else iteration.count + 1
        earlier = None if iteration is None else iteration.earlier
        if count >= FIRST_TURN and count & count - 1 == 0:
            earlier = _remember(state)
        state.iterations[instance] = LoopVisit(count, state.instructions, earlier)
        if iteration is None:
            return
        never_ends = iteration.never_ends
        again = 0 if iteration.earlier is None or never_ends else self._is_again(iteration.earlier, state)
        if iteration.earlier is not None and again != 0:
            outermost = self._outermost(state, iteration.earlier.state.instructions)
            if isinstance(again, Term):
                if outermost == instance:
                    self._part(step, again)
                return
            if outermost != instance:
                known = state.iterations[outermost]
                state.iterations[outermost] = LoopVisit(known.count, known.instructions, known.earlier, never_ends=True)
                return
            never_ends = True
        if never_ends:
            step.fail(CHECK, self._message(step))

    def _message(self, step: Step) -> str:
        frame = step.state.frames[-1]
        step.position = _position(self._facts[frame.function], frame.block)
        return f"the loop in {frame.function.source_name}() comes back to a state that it was in: it never ends"

    def _part(self, step: Step, again: Term) -> None:
        """The loop never ends where ``again`` (1 bit) holds. Asked only if its inputs are few."""
        bits = sum(symbol.width for symbol in again.symbols)
        differs = build.negate(again)
        if bits <= FEW_BITS and not is_unwritten(again) and not step.chain.must(step.state.path, differs):
            step.require(differs, CHECK, self._message(step))

    def _outermost(self, state: State, since: int) -> LoopInstance:
        turned = [instance for instance, iteration in state.iterations.items() if iteration.instructions > since]
        least = min(depth for depth, _, _ in turned)
        return max(
            (instance for instance in turned if instance[0] == least),
            key=lambda instance: len(self._facts[instance[1]].flow.loops.get(instance[2], ())),
        )

    def _is_again(self, earlier: EarlierState, state: State) -> Value:
        """When the state at the head of a loop equals the earlier one (1 bit)."""
        before = earlier.state
        if not _same_world(before, state) or _differs_as_before(earlier, state):
            return 0
        if self._sightings.first is not None and not _same_names(before, state):
            return 0
        again: Value = 1
        last, jumps = len(state.frames) - 1, state.remembered[JUMP_TARGETS]
        is_same_call = all(old.ordinal == new.ordinal for old, new in zip(before.frames, state.frames, strict=True))
        for depth, (old, new) in enumerate(zip(before.frames, state.frames, strict=True)):
            only = self._facts[new.function].steering(new.block) if is_same_call and depth == last else None
            if old is not new:
                same = self._same_frame(old, new, only, is_calling=depth < last, jumps=jumps)
                again = build.both(again, same)
            if again == 0:
                return 0
        return build.both(again, _same_memory(earlier, state, is_deeper=False))

    def _same_frame(
        self, old: Frame, new: Frame, only: frozenset[int] | None, *, is_calling: bool, jumps: object
    ) -> Value:
        """When two frames agree; of registers, only ``only`` count, if given."""
        if (old.function, old.block, old.index, old.locals) != (new.function, new.block, new.index, new.locals):
            return 0
        if old.variadic != new.variadic or (old.ended or {}).keys() != (new.ended or {}).keys():
            return 0
        liveness = self._facts[old.function].liveness
        live: Sequence[int] = liveness.registers(old.block, old.index, is_calling=is_calling)
        if jumps:
            live = range(len(old.registers))
        elif only is not None:
            live = [register for register in live if register in only]
        return _all(_equal(old.registers[i], new.registers[i]) for i in live)

    # --- recursion ---

    def call(self, step: Step) -> None:
        """A function was entered: a fault if it was entered before, further down the stack, in the same state.

        The first match puts the path under suspicion; the second one is the fault.
        """
        state = step.state
        frames = state.frames
        depth = len(frames)
        suspect = state.suspect
        if suspect and (depth <= suspect or depth > 2 * suspect):
            suspect = state.suspect = 0
            step.sightings = self._sightings
        base = suspect or 1 << depth.bit_length() - 1
        if base == depth:
            frames[-1].entered = _remember(state)
            return
        earlier = frames[base - 1].entered
        if earlier is None or not _is_entered_again(earlier, state) or self.suspicions.first is not None or state.over:
            return
        if suspect or self._sightings.watches:
            step.fail("stack-overflow", f"{frames[-1].function.source_name}() calls itself for ever")
        frames[-1].entered = _remember(state)
        state.suspect = depth
        step.sightings = self.suspicions


def _remember(state: State) -> EarlierState:
    copy = state.fork()
    copy.iterations = {}
    return EarlierState(copy)


def _is_entered_again(earlier: EarlierState, state: State) -> bool:
    before = earlier.state
    old, new = before.frames[-1], state.frames[-1]
    return (
        old.function is new.function
        and old.registers == new.registers
        and old.variadic == new.variadic
        and before.heap_count == state.heap_count
        and before.path is state.path
        and not _differs_as_before(earlier, state)
        and _same_world(before, state)
        and _same_memory(earlier, state, is_deeper=True) == 1
    )


def _same_world(before: State, state: State) -> bool:
    """Whether all but stack, memory and path condition is equal, without input in between."""
    return (
        before.volatile_reads == state.volatile_reads
        and _same_inputs(before, state)
        and before.lazy is state.lazy
        and before.remembered == state.remembered
    )


def _same_inputs(before: State, state: State) -> bool:
    """Whether no input came in between. Unwritten locals do not count while the path condition is the same."""
    if before.path is state.path:
        return state.inputs.adds_only_unwritten(before.inputs)
    return before.inputs == state.inputs


def _same_names(before: State, state: State) -> bool:
    return before.heap_count == state.heap_count and all(
        (old.ordinal, old.calls, old.repetitions) == (new.ordinal, new.calls, new.repetitions)
        for old, new in zip(before.frames, state.frames, strict=True)
    )


def _same_memory(earlier: EarlierState, state: State, *, is_deeper: bool) -> Value:
    """When memory is equal. ``is_deeper``: locals of later callers do not count, since nothing leads to them."""
    old, new = earlier.state.memory.objects, state.memory.objects
    same: Value = 1
    for number in changed_numbers(old, new):
        if is_deeper and number >= FIRST_STACK and number not in old:
            continue
        same = build.both(same, _same_object(old.get(number), new.get(number)))
        if same == 0:
            earlier.differs = (number, *earlier.differs[: MOST_DIFFERENCES - 1])
            return 0
    return same


def _differs_as_before(earlier: EarlierState, state: State) -> bool:
    """Whether an object that differed at an earlier visit differs now: a quick test before all are compared."""
    old, new = earlier.state.memory.objects, state.memory.objects
    return any(_same_object(old.get(number), new.get(number)) == 0 for number in earlier.differs)


def _same_object(item: MemoryObject | None, other: MemoryObject | None) -> Value:
    """When two objects are equal (1 bit); only small ones are compared by terms."""
    if item is None or other is None:
        return int(item is other)
    if item.is_same(other):
        return 1
    count = len(item.data)
    is_written = all(each.mask is None or UNINITIALISED not in each.mask for each in (item, other))
    if count > SMALL or not is_written or not item.is_alike(other):
        return 0
    return _all(map(_equal, item.byte_values(0, count), other.byte_values(0, count)))


def _equal(old: RegisterValue, new: RegisterValue) -> Value:
    if old == new:
        return 1
    term = old if isinstance(old, Term) else new
    if not isinstance(term, Term) or not isinstance(old, int | Term) or not isinstance(new, int | Term):
        return 0
    return build.eq(old, new, term.width)


def _all(conditions: Iterable[Value]) -> Value:
    together: Value = 1
    for condition in conditions:
        together = build.both(together, condition)
        if together == 0:
            break
    return together


def _position(facts: FunctionFacts, head: int) -> Position | None:
    loop = facts.flow.loops.get(head, frozenset((head,)))
    for block in (head, *sorted(loop - {head})):
        for instruction in facts.function.blocks[block].body:
            if instruction.position is not None and instruction.position.line:
                return instruction.position
    return None
