"""Where inferred predicates are too weak: program points blamed for a failure get more of them, or join exactly.

More are those that exclude the failure once the true values are put back. A point gets such a number of times; then,
or where none are found, it joins exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unfork.engine.protocols.events import Bounded, Ended, Event, Forked
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.outcome import Failed, Killed
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Statistics
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.merge_points import Mark
from unfork.reduce.merge import lessons
from unfork.reduce.merge.merge_table import Refused
from unfork.world.inputs.testcase import Error, error_of

if TYPE_CHECKING:
    from unfork.reduce.merge.lessons import Forgot, LearntCondition, Restoring

MOST_AGAIN = 3
"""Explorations with more points that join exactly; then all points do."""
MOST_TRIES = 3
"""How often a point gets more predicates before it joins exactly; as many explorations only try that."""
MOST_FAILURES = 8
"""Failures of one point, per exploration, to analyse: the first ones."""
MOST_FORKS = 2_000
"""Forks, per exploration, of states that stand for too much: a loop with a forgotten bound would never end."""
ASTRAY = "refinement"


@dataclass(frozen=True, slots=True)
class Suspects:
    """What a failure depends on: the nearest symbols, its path's knowledge, and its conditions.

    Without conditions, there is nothing to learn from it.
    """

    near: frozenset[Term]
    far: frozenset[Term]
    conditions: PathCondition | Sequence[Term] = ()

    def asked(self) -> Sequence[Term]:
        """The conditions, one by one."""
        return self.conditions.constraints() if isinstance(self.conditions, PathCondition) else self.conditions


class Refinement:
    """What joins forgot and inferred, by program point, and which points join exactly.

    Law: explorations restart finitely often, and in the last one no point forgets anything.
    """

    def __init__(self) -> None:
        self.statistics = Statistics()
        """Statistics of the queries about candidates."""
        self.again = 0
        """How often the program was explored again."""
        self.everywhere = False
        """Whether all points join exactly."""
        self._exact: dict[Mark, None] = {}
        self._inferred: dict[Mark, dict[str, None]] = {}
        self._forgotten: dict[Term, Forgot] = {}
        """In order of time."""
        self._blamed: dict[Mark, list[Suspects] | None] = {}
        """Points, with the failures blamed on them; None where only exact joins will do."""
        self._learnt: dict[Mark, dict[Value, LearntCondition]] = {}
        """Predicates from failures, by meaning."""
        self._tries: dict[Mark, int] = {}
        self._tried = 0

    def is_exact(self, mark: Mark) -> bool:
        """Whether states at a program point are to be joined exactly."""
        return self.everywhere or mark in self._exact

    def note_join(self, forgot: Forgot, inferred: Iterable[str]) -> None:
        """A join forgot values, and inferred facts about them."""
        self._forgotten |= dict.fromkeys(forgot.truth, forgot)
        self._inferred.setdefault(forgot.mark, {}).update(dict.fromkeys(inferred))

    def learnt(self, mark: Mark) -> list[LearntCondition]:
        """Predicates from failures for a program point; the caller must prove them."""
        return list(self._learnt.get(mark, {}).values())

    def blame(self, suspects: Suspects) -> None:
        """Blame a possibly spurious failure on the latest join that it depends on; on all if none is known."""
        for symbols in (suspects.near, suspects.far):
            marks = [join.mark for term, join in self._forgotten.items() if term in symbols]
            if marks:
                failures = self._blamed.setdefault(marks[-1], [])
                if failures is not None:
                    failures.append(suspects)
                return
        self.blame_all()

    def blame_all(self) -> None:
        """Blame every join that forgot anything."""
        self._blamed |= {join.mark: None for join in self._forgotten.values()}

    def begins_again(self, chain: Chain) -> bool:
        """Whether to explore again, because some point was blamed: it gets more predicates, or joins exactly."""
        if not self._blamed:
            return False
        self.again += 1
        restoring = lessons.Restoring(chain)
        helpless = {mark: None for mark, failures in self._blamed.items() if not self._helps(mark, failures, restoring)}
        self.statistics.queries += restoring.queries
        self._exact |= helpless
        self._tried += not helpless
        self.everywhere = self.again - self._tried > MOST_AGAIN
        self._blamed.clear()
        self._forgotten.clear()
        self._inferred = (
            {}
            if self.everywhere
            else {mark: texts for mark, texts in self._inferred.items() if mark not in self._exact}
        )
        return True

    def _helps(self, mark: Mark, failures: Sequence[Suspects] | None, restoring: Restoring) -> bool:
        """Whether each failure blamed on a point gives new predicates."""
        self._tries[mark] = self._tries.get(mark, 0) + 1
        if not failures or max(self._tries[mark], self._tried + 1) > MOST_TRIES:
            return False
        lessons = [restoring.learnt(each.asked(), self._forgotten) for each in failures[:MOST_FAILURES]]
        is_new = all(self._is_new(each) for each in lessons)
        for lesson in lessons:
            for where, predicates in lesson.items():
                self._learnt.setdefault(where, {}).update({each.meaning(): each for each in predicates})
        return is_new

    def _is_new(self, predicates: Mapping[Mark, Sequence[LearntCondition]]) -> bool:
        """Whether a failure gives untried predicates."""
        return any(
            each.meaning() not in self._learnt.get(where, {}) for where, some in predicates.items() for each in some
        )

    def as_dict(self) -> dict[str, Any]:
        """For summary.json."""
        return {
            "again": self.again,
            "queries": self.statistics.queries,
            "exact": "everywhere" if self.everywhere else [_named(mark) for mark in self._exact],
            "places": [{**_named(mark), "predicates": list(texts)} for mark, texts in self._inferred.items()],
        }


def _named(mark: Mark) -> dict[str, Any]:
    function, block, index = mark
    return {"function": function, "block": block, "index": index}


class Watch:
    """Observes the failures and kills of states that stand for too much."""

    def __init__(self, refinement: Refinement) -> None:
        self._refinement = refinement
        self._failed: dict[Error, list[Suspects]] = {}
        self._forks = 0

    def tell(self, event: Event) -> None:
        """Note what may be to blame."""
        match event:
            case Forked(_, outcomes):
                self._forks += any(outcome.state.over for outcome in outcomes)
            case Ended(Failed(state, fault)) if state.over:
                self._failed.setdefault(error_of(fault), []).append(suspects(state))
            case Ended(Killed(state, _, _)) | Bounded(state, _) if state.over:
                self._refinement.blame(suspects(state))

    def is_astray(self) -> bool:
        """Whether there are so many forks that forgetting may be the cause."""
        return self._forks > MOST_FORKS and not self._refinement.everywhere

    def suspected(self, alarms: Iterable[Error]) -> dict[Error, list[Suspects]]:
        """The alarms that a join may be to blame for, each with the suspects of its failures."""
        return {alarm: self._failed[alarm] for alarm in alarms if alarm in self._failed}

    def begin_again(self) -> None:
        """Another exploration begins."""
        self._failed.clear()
        self._forks = 0


def suspects(state: State) -> Suspects:
    """The symbols of a state's latest condition, and its path's knowledge."""
    path = state.path
    latest = path.touched(path.trail[1].symbols) if path.trail is not None else ()
    near = frozenset().union(*[part.symbols for part in latest])
    return Suspects(near, frozenset(path.slices), path)


class UntilAstray:
    """Stops an exploration that goes astray; otherwise as ``other``."""

    def __init__(self, watch: Watch, other: Stopper) -> None:
        self._watch = watch
        self._other = other

    def look(self, frontier: Frontier) -> str | None:
        return self._other.look(frontier) or (ASTRAY if self._watch.is_astray() else None)


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A run's requirements on joins: where they must be exact, and whether ``keeps_all`` registers count, not only
    those that the program may read: contracts read others. ``refused`` gets each refusal.
    """

    refinement: Refinement
    refused: Refused
    keeps_all: bool = False
