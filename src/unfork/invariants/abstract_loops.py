"""--loops abstract: a loop is taken for any number of turns at once (Steinhoefel's loop analysis).

Turns with a single path are run as they are. Then a path that comes to a loop goes on as two kinds of paths: those of
its first turn, as it is; and those that follow on any other turn. For these, what turns change is forgotten
(loop_cells.py) but for numbers that grow by a constant, which are functions of the number of turns, and for what is
proved to hold whenever a turn begins (loop_bounds.py). So they stand for more than the program does: they may prove,
but their failures are alarms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic

from unfork.contracts.faults import Fault
from unfork.contracts.outcome import Failed, Killed, Outcome, Running
from unfork.contracts.rest import Rest
from unfork.contracts.stepper import Stepper
from unfork.execute.coverage import BranchCoverage
from unfork.execute.stack_trace import StackTraces
from unfork.explore.unwind import activation_of
from unfork.facts.function_facts import FactsTable
from unfork.facts.meeting import Places, together
from unfork.facts.nearest import position_at
from unfork.llvm.module import Function
from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.term import Term, Value
from unfork.merge.abstract import FORGOTTEN, assumed
from unfork.merge.loop_bounds import Candidate, Invariant, Stated, resized, strongest
from unfork.merge.loop_cells import TURNS_BITS, Cell, Cells, NotAbstract
from unfork.merge.loop_guesses import Guesses
from unfork.merge.scope import Variables
from unfork.merge.states import Origins
from unfork.state.inputs import UNWRITTEN
from unfork.state.state import State

MOST_STEPS = 512
"""A loop of which a turn takes more steps than this, with the loops within, is run turn by turn."""
MOST_FOLLOWED = 8
"""If a turn is over on more paths than this, what follows on it is not told apart by them."""
MOST_KNOWN = 1024
"""So many turns with a single path are run as they are; then they count as any."""
MOST_NESTED = 8
"""Loops within loops, deeper than this, are run turn by turn."""
NOT_AT_FIRST = "where the loop begins"
NOT_KEPT = "to be kept by a turn"
NOT_IN_TURN = "in a turn that is run as it is"


@dataclass(frozen=True, slots=True)
class Taken:
    """How a loop was taken: what changes in it, how, and what is known of it whenever a turn begins."""

    function: Function
    head: int
    changes: tuple[tuple[Cell, int | None], ...]
    kept: tuple[Candidate, ...]
    over: tuple[State, ...]
    """Any turn, where it is over."""
    entry: State
    """Where the loop begins."""
    begun: State
    """Any turn, where it begins."""
    turns: Term
    """How many turns were before it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asks for: no loop of ``others`` is taken, nor one in whose turns functions begin that are
    ``watched``, and each loop's ``invariants`` are proved."""

    others: Collection[str]
    watched: Collection[str]
    invariants: Callable[[Function, int], Sequence[Invariant]]
    notices_unwritten: bool
    notices_leaks: bool


@dataclass(slots=True)
class _Turn:
    """What a turn comes to."""

    over: list[State] = field(default_factory=list)
    """Where the next turn would begin."""
    others: list[Outcome] = field(default_factory=list)
    """Where the loop is left, and where a path ends."""

    def states(self) -> Iterator[State]:
        yield from self.over
        for outcome in self.others:
            yield outcome.state


class AbstractLoops:
    """A stepper that takes the loops of the program's own functions for any number of turns at once.

    Loops for which that is not possible run turn by turn; ``refused`` says why, and ``taken`` how others were taken.
    """

    def __init__(
        self,
        stepper: Stepper,
        chain: Chain,
        origins: Origins,
        facts: FactsTable,
        variables: Variables,
        coverage: BranchCoverage,
        wanted: Wanted,
    ) -> None:
        self._stepper = stepper
        self._chain = chain
        self._origins = origins
        self._facts = facts
        self._traces = StackTraces(facts)
        self._variables = variables
        self._coverage = coverage
        self._wanted = wanted
        self._heads = Rest(self._heads_of)
        self._with_heads: dict[Rest, Rest] = {}
        self._said: set[Invariant] = set()
        self.rehearsals = 0
        """Above 0 while turns are run only to see what holds in any: what happens in them may be what never does."""
        self.performs = False
        """Whether a turn is run once more, once that is known, for somebody who looks on."""
        self.taken: dict[tuple[Function, int], Taken] = {}
        self.refused: dict[tuple[Function, int], str] = {}

    def step(self, state: State, rest: Rest) -> list[Outcome]:
        """A step of the machine, or a loop at whose head the state stands."""
        is_taken = self._is_to_be_taken(state)
        alarms = list(self._unproved(state, NOT_AT_FIRST if is_taken else NOT_IN_TURN))
        outcomes = self._loop(state, 0) if is_taken else None
        return [*alarms, *(self._stepper.step(state, self._resting(rest)) if outcomes is None else outcomes)]

    # --- where states rest

    def _heads_of(self, function: Function) -> Places:
        is_own = function.name not in self._wanted.others
        heads = self._facts[function].flow.loop_heads if is_own else ()
        return Places(frozenset(heads), frozenset(), lambda block, index: False)

    def _resting(self, rest: Rest) -> Rest:
        known = self._with_heads.get(rest)
        if known is None:
            known = self._with_heads[rest] = Rest(together(rest.places, self._heads_of))
        return known

    def _is_to_be_taken(self, state: State) -> bool:
        """Whether the state stands at the head of a loop that may be taken for any number of turns."""
        frame = state.frames[-1]
        return frame.index == 0 and frame.block not in frame.turning and self._heads.is_at(state)

    # --- a loop

    def _loop(self, state: State, nested: int) -> list[Outcome] | None:
        """What comes of the loop at whose head the state stands; None if it is to be run turn by turn."""
        entry = state
        try:
            if nested > MOST_NESTED:
                raise NotAbstract("it is nested too deep")
            entry, first = self._as_far_as_known(state, nested)
            return self._taken(entry, first, nested)
        except NotAbstract as refusal:
            frame = entry.own_top()
            self.refused[frame.function, frame.block] = refusal.reason
            if refusal.for_good:
                frame.turning |= {frame.block}
            return None if entry is state else [Running(entry)]

    def _as_far_as_known(self, state: State, nested: int) -> tuple[State, _Turn]:
        """Where the loop comes to by turns that have a single path to the next turn, and the turn from there on."""
        turn = self._turn(state.fork(), nested)
        for _ in range(MOST_KNOWN):
            if turn.others or len(turn.over) != 1:
                break
            [state] = turn.over
            turn = self._turn(state.fork(), nested)
        return state, turn

    def _taken(self, entry: State, first: _Turn, nested: int) -> list[Outcome]:
        """What comes of a loop whose ``first`` turn is known, that begins where ``entry`` is."""
        if not first.over:
            return first.others
        self._check_alike(entry, first)
        function, head = entry.frames[-1].function, entry.frames[-1].block
        cells = Cells(first.over, entry)
        cells.update(self._chain, entry, first.over, function)
        said = [Stated(invariant, self._variables) for invariant in self._wanted.invariants(function, head)]
        never = {candidate for candidate in said if not self._holds(candidate, entry, 0)}
        lost: set[Candidate] = {*never}
        guesses = Guesses(self._chain, entry, first.over)
        turn = first
        self.rehearsals += 1
        try:
            while True:
                if self._wanted.notices_unwritten:
                    _check_written(cells, entry, first)
                wanted: tuple[Candidate, ...] = (*said, *guesses.of(cells))
                candidates = [each for each in wanted if each not in lost]
                begun, turns = self._any(entry, cells, strongest(candidates))
                turn = self._turn(begun.fork(), nested)
                self._check_alike(begun, turn)
                after = build.add(turns, 1, TURNS_BITS)
                broken = {
                    each for each in candidates if not all(self._holds(each, state, after) for state in turn.over)
                }
                lost |= broken
                if (
                    not cells.update(self._chain, begun, turn.over, function)
                    and not broken
                    and not guesses.learn(cells, begun, turn.over, candidates)
                ):
                    break
                self._forget(turn.states())
        except NotAbstract:
            self._forget((*first.states(), *turn.states()))  # the path is run again
            raise
        finally:
            self.rehearsals -= 1
        if self.performs:
            self._forget(turn.states())
            turn = self._turn(begun.fork(), nested)
            self._check_alike(begun, turn)
        changes, kept, over = tuple(cells.steps.items()), tuple(strongest(candidates)), tuple(turn.over)
        self.refused.pop((function, head), None)
        self.taken[function, head] = Taken(function, head, changes, kept, over, entry, begun, turns)
        reasons = {each.invariant: NOT_AT_FIRST if each in never else NOT_KEPT for each in said if each in lost}
        alarms = list(self._broken(entry, reasons))
        outcomes = [*first.others, *self._following(turn, nested)]
        self._forget(first.over)
        return [*outcomes, *alarms]

    def _following(self, turn: _Turn, nested: int) -> list[Outcome]:
        """What comes of the turns that follow on any turn."""
        if len(turn.over) > MOST_FOLLOWED:
            self._forget(turn.over)
            return turn.others
        outcomes: list[Outcome] = []
        for state in turn.over:
            following = self._turn(state.fork(), nested)
            outcomes += following.others
            self._forget(following.over)
        self._forget(outcome.state for outcome in turn.others)
        return outcomes

    def _unproved(self, state: State, reason: str) -> Iterator[Outcome]:
        """Alarms for what the user says of the loop at whose head a state stands, where that is not proved of it."""
        frame = state.frames[-1] if state.frames else None
        if self.rehearsals or frame is None or frame.index or not self._heads.is_at(state):
            return
        said = self._wanted.invariants(frame.function, frame.block)
        broken = [each for each in said if not self._holds(Stated(each, self._variables), state, 0)]
        yield from self._broken(state, dict.fromkeys(broken, reason))

    def _broken(self, entry: State, invariants: Mapping[Invariant, str]) -> Iterator[Outcome]:
        """Alarms for what the user says of the loop and is not proved, and why."""
        for invariant, reason in invariants.items():
            if invariant not in self._said:
                self._said.add(invariant)
                state = entry.fork()
                state.over = True
                frame = state.frames[-1]
                position = position_at(frame.function, frame.block, 0)
                message = f"the invariant {invariant.text} is not proved {reason}: nothing is concluded from it"
                yield Failed(state, Fault("contract", message, position, self._traces.of(state, position)))

    def _any(self, entry: State, cells: Cells, candidates: Sequence[Candidate]) -> tuple[State, Term]:
        """Any turn of the loop, where it begins, and how many there were before."""
        state = entry.fork()
        state.over = True
        turns = self._origins.number(FORGOTTEN, TURNS_BITS)
        before = entry.path.model()
        values: dict[Term, int] = {**before.values, turns: 0}
        for cell, step in cells.steps.items():
            start = 0 if cell.is_unwritten(entry) else cell.read(entry)
            if step is None:
                fresh = self._origins.number(FORGOTTEN, cell.width)
                values[fresh] = evaluate(start, before)
                value: Value = fresh
                if self._wanted.notices_unwritten and cell in cells.unwritten:
                    is_written = self._origins.number(FORGOTTEN, 1)
                    unwritten = self._origins.number(UNWRITTEN + FORGOTTEN, cell.width)
                    values |= {is_written: 1, unwritten: 0}
                    value = build.ite(is_written, fresh, unwritten, cell.width)
                cell.write(state, value)
            else:
                count = resized(turns, TURNS_BITS, cell.width)
                cell.write(state, build.add(start, build.mul(count, step, cell.width), cell.width))
        model = Model(values)
        for candidate in candidates:
            condition = candidate.at(state, turns)
            if isinstance(condition, Term):
                state.path = assumed(state.path, condition, model)
        return state, turns

    def _holds(self, candidate: Candidate, state: State, turns: Value) -> bool:
        """Whether a candidate is proved of a state at the head, after so many turns."""
        condition = candidate.at(state, turns)
        return condition is not None and self._chain.must(state.path, condition)

    def _check_alike(self, begun: State, turn: _Turn) -> None:
        """Raise NotAbstract where a turn changes more than numbers."""
        for outcome in turn.others:
            if isinstance(outcome, Killed) and begun.over:
                raise NotAbstract(f"with any numbers, it comes to {outcome.detail}")
        for state in turn.over:
            if state.lazy is not begun.lazy:
                raise NotAbstract("it looks at new parts of the input heap", for_good=False)
            if state.remembered.without_names() != begun.remembered.without_names():
                raise NotAbstract("it changes what the system or the library remembers")
            if state.output is not begun.output:
                raise NotAbstract("it prints")
            if state.proof.contents != begun.proof.contents:
                raise NotAbstract("it writes an object of any length")
            new = state.memory.objects.held.keys() - begun.memory.objects.held.keys()
            if self._wanted.notices_leaks and any(state.memory.objects[number].kind == "heap" for number in new):
                raise NotAbstract("it allocates memory, which may leak")

    # --- a turn

    def _turn(self, state: State, nested: int) -> _Turn:
        """Run a state from the head of a loop, once through it."""
        head, depth, activation = state.frames[-1].block, len(state.frames), activation_of(state)
        blocks = self._facts[state.frames[-1].function].flow.loops.get(head)
        if blocks is None:
            raise NotAbstract("it may be entered in several places")
        turn = _Turn()
        waiting, steps = [state], 0
        while waiting:
            current, steps = waiting.pop(), steps + 1
            if steps > MOST_STEPS or monotonic() >= self._chain.deadline:
                raise NotAbstract("a turn takes too long")
            for outcome in self._stepped(current, nested, is_first=steps == 1):
                if not isinstance(outcome, Running):
                    turn.others.append(outcome)
                    continue
                reached = outcome.state
                if len(reached.frames) < depth or activation_of(reached)[:depth] != activation:
                    turn.others.append(outcome)
                elif len(reached.frames) > depth:
                    self._check_watched(reached)
                    waiting.append(reached)
                elif (reached.frames[-1].block, reached.frames[-1].index) == (head, 0):
                    turn.over.append(reached)
                elif reached.frames[-1].block in blocks:
                    waiting.append(reached)
                else:
                    turn.others.append(outcome)
        return turn

    def _check_watched(self, state: State) -> None:
        """Raise NotAbstract in a function that somebody else has to see."""
        function = state.frames[-1].function
        if function.name in self._wanted.watched:
            raise NotAbstract(f"it calls {function.source_name}, of which contracts speak")

    def _stepped(self, state: State, nested: int, *, is_first: bool) -> list[Outcome]:
        is_taken = not is_first and self._is_to_be_taken(state)
        alarms = list(self._unproved(state, NOT_AT_FIRST if is_taken else NOT_IN_TURN))
        outcomes = self._loop(state, nested + 1) if is_taken else None
        return [*alarms, *(self._stepper.step(state, self._heads) if outcomes is None else outcomes)]

    def _forget(self, states: Iterator[State] | Sequence[State]) -> None:
        """What these states were the first to cover, nobody has covered."""
        for state in states:
            self._coverage.forget(state.pending)


def _check_written(cells: Cells, entry: State, first: _Turn) -> None:
    """Raise NotAbstract where a loop is the first to write what it changes: for good, if later turns may be, too.

    What a register or a copy holds may be unwritten in any turn, unless the first writes all that was not before.
    """
    looked_at = (entry, *first.over)
    unwritten = [cell for cell in cells.steps if any(cell.is_unwritten(state) for state in looked_at)]
    if unwritten:
        left = any(cell.is_unwritten_around(state) for cell in unwritten for state in first.over)
        raise NotAbstract("it writes memory for the first time", for_good=left)
    unwritten = [cell for cell in cells.steps if cell.may_be_unwritten(entry)]
    if unwritten and not any(cell.may_be_unwritten(state) for cell in cells.unwritten for state in first.over):
        raise NotAbstract("it writes a variable for the first time", for_good=False)
