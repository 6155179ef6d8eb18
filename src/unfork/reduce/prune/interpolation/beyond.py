"""Looks beyond branches that no path of a stretch took, for interpolants that cover what is there.

A side that is infeasible for one state may be feasible for others. They may take it if an interpolant beyond it
covers them there. So an interpolant need not require that all branches go the same way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term, Value
from unfork.reduce.prune.interpolation.general import CannotGeneralise
from unfork.reduce.prune.interpolation.interpolant import Interpolant, Shape
from unfork.reduce.prune.interpolation.oracle import PathDecision
from unfork.reduce.prune.interpolation.retrace import Retracer, Trace
from unfork.reduce.prune.interpolation.sources import PREFIX, base_object
from unfork.reduce.prune.interpolation.weakest import Path, Precondition, at_end, precondition

MOST = 4
"""Sides to look at for one stretch."""
LONGEST = 300
"""Instructions of the longest stretch whose sides are looked at."""
HEAVIEST = 300
"""Terms of the largest interpolant to use for that."""
CANDIDATES = 3
"""Interpolants to try for one side."""


@dataclass(frozen=True, slots=True)
class UntakenPath:
    """An untaken path with the requirements at its end (``asked``). A state that meets ``turn`` leaves the other
    paths.
    """

    trace: Trace
    path: Path
    asked: Precondition
    turn: Value

    @property
    def terms(self) -> list[Term]:
        """The terms of its decisions and requirements."""
        return [*[choice.term for choice in self.path.choices], *self.path.conditions]


Known = Callable[[State], Sequence[Interpolant]]
"""The interpolants at a state's place, the most promising first."""


class Beyond:
    """Finds untaken sides beyond which an interpolant is known."""

    def __init__(self, retracer: Retracer, known: Known) -> None:
        self._retracer = retracer
        self._known = known

    def of(self, start: State, paths: Sequence[Path], model: Model) -> list[UntakenPath]:
        """Untaken sides of ``paths`` that lead to interpolants."""
        taken: set[tuple[int, ...]] = set()
        pending: deque[tuple[int, ...]] = deque()
        for path in paths:
            _note(path.choices, taken)
        for path in paths:
            pending.extend(_turns(path.choices, taken))
        sides = []
        for _ in range(MOST):
            if not pending:
                break
            script = pending.popleft()
            if script in taken:
                continue
            taken.add(script)
            trace = self._retracer.other(start, model, script)
            if trace is not None and any(_has_inputs(choice.term) for choice in trace.choices):
                continue
            if trace is None:
                pending.extendleft(self._instead(len(script), taken))
                continue
            learnt = self._learnt(trace)
            if learnt is None:
                continue
            turn = trace.choices[len(script) - 1].condition
            sides.append(UntakenPath(trace, Path(trace.choices, learnt.conditions), learnt, turn))
            _note(trace.choices, taken)
            pending.extend(_turns(trace.choices[len(script) :], taken, script))
        return sides

    def _instead(self, at: int, taken: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The other side of the last decision, if any beyond ``at``, of the path that led nowhere."""
        choices = self._retracer.oracle.choices
        for last in reversed(range(at, len(choices))):
            if choices[last].is_open:
                values = tuple([choice.value for choice in choices[:last]])
                script = (*values, 1 - choices[last].value)
                return [] if script in taken else [script]
        return []

    def _learnt(self, trace: Trace) -> Precondition | None:
        """The requirements on the beginning so that the end of the trace is covered, if an interpolant is known
        there.
        """
        state, oracle = trace.general.state, self._retracer.oracle
        best: Precondition | None = None
        least = 1 << 30
        for interpolant in self._known(state):
            if (
                interpolant.weight > HEAVIEST
                or interpolant.taken
                or interpolant.heap_count is not None
                or not self._fits(interpolant, trace)
            ):
                continue
            try:
                asked = precondition(trace, interpolant, self._retracer.step, oracle)
            except CannotGeneralise:
                continue
            if any(_has_inputs(condition) for condition in asked.conditions):
                continue
            unmet = sum(not oracle.worth(condition) for condition in asked.conditions)
            if unmet < least:
                best, least = asked, unmet
            if not unmet:
                break
        return best

    def _fits(self, interpolant: Interpolant, trace: Trace) -> bool:
        """Whether the end of the trace has the interpolant's objects, under the same names."""
        general, step = trace.general, self._retracer.step
        state = general.state
        self._retracer.oracle.general = general
        step.begin(state, None)
        if not interpolant.fixed.fits(state):
            return False
        if any(number in state.memory.objects for number in interpolant.absent):
            return False
        if any(Shape.of(number, state) != shape for number, shape in interpolant.shapes.items()):
            return False
        try:
            return all(base_object(at_end(anchor, general, step)) == anchor.anchor for anchor in interpolant.anchors)
        except CannotGeneralise:
            return False


def open_turns(paths: Sequence[Path]) -> Iterator[Term]:
    """The decisions at which a path of ``paths`` might have taken a side that none of them took."""
    tree: dict[int, Any] = {}
    for path in paths:
        here = tree
        for choice in path.choices:
            here = here.setdefault(choice.value, {})
    for path in paths:
        here = tree
        for choice in path.choices:
            if choice.is_open and 1 - choice.value not in here:
                yield choice.term
            here = here[choice.value]


def _has_inputs(term: Term) -> bool:
    """Whether it depends on inputs made on the way."""
    return not all(symbol.name.startswith(PREFIX) for symbol in term.symbols)


def _note(choices: Sequence[PathDecision], taken: set[tuple[int, ...]]) -> None:
    values = tuple([choice.value for choice in choices])
    taken.update([values[: i + 1] for i in range(len(values))])


def _turns(
    choices: Sequence[PathDecision], taken: set[tuple[int, ...]], before: tuple[int, ...] = ()
) -> list[tuple[int, ...]]:
    """The scripts that leave a path at one of its decisions, for an untaken side that others may take."""
    scripts = []
    earlier: list[PathDecision] = []
    for choice in choices:
        if choice.is_open:
            script = (*before, 1 - choice.value)
            if script not in taken and not _is_excluded(choice, earlier):
                scripts.append(script)
        before = (*before, choice.value)
        earlier.append(choice)
    return scripts


def _is_excluded(choice: PathDecision, before: Sequence[PathDecision]) -> bool:
    """Whether earlier decisions leave no alternative to ``choice``, by a quick test."""
    other, symbols = build.negate(choice.condition), choice.term.symbols
    return any(earlier.term.symbols is symbols and build.both(earlier.condition, other) == 0 for earlier in before)
