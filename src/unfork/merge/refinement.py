"""Where inferred predicates say too little: places that are to blame for a failure join exactly from then on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unfork.contracts.events import Bounded, Ended, Event, Forked
from unfork.contracts.frontier import Frontier
from unfork.contracts.outcome import Failed, Killed
from unfork.contracts.stopper import Stopper
from unfork.inputs.testcase import Error, error_of
from unfork.logic.solver import Statistics
from unfork.logic.term import Term
from unfork.program.marks import Mark
from unfork.state.state import State

MOST_AGAIN = 3
"""So often a program is explored again with more places that join exactly; then all of them do."""
MOST_FORKS = 2_000
"""Forks of states that stand for too much, in one exploration: a loop whose bound was forgotten would have no end."""
ASTRAY = "refinement"

Suspects = Sequence[frozenset[Term]]
"""Symbols that a failure depends on: first those nearest to it."""


class Refinement:
    """What joins forgot and what they inferred, by place, and which places join exactly.

    Law: explorations are begun again finitely often, and in the last one no place forgets anything.
    """

    def __init__(self) -> None:
        self.statistics = Statistics()
        """Of queries about candidates."""
        self.again = 0
        """How often the program was explored again."""
        self.everywhere = False
        """Whether all places join exactly."""
        self._exact: dict[Mark, None] = {}
        self._inferred: dict[Mark, dict[str, None]] = {}
        self._forgotten: dict[Term, Mark] = {}
        """In the order in which they were forgotten."""
        self._blamed: dict[Mark, None] = {}

    def is_exact(self, place: Mark) -> bool:
        """Whether states at a place are to be joined exactly."""
        return self.everywhere or place in self._exact

    def joined(self, place: Mark, forgotten: Iterable[Term], inferred: Iterable[str]) -> None:
        """A join forgot values, and knows this of them."""
        self._forgotten |= dict.fromkeys(forgotten, place)
        self._inferred.setdefault(place, {}).update(dict.fromkeys(inferred))

    def blame(self, suspects: Suspects) -> None:
        """A failure that need not be one: the latest join counts that it depends on; if none is known, all do."""
        for symbols in suspects:
            places = [place for term, place in self._forgotten.items() if term in symbols]
            if places:
                self._blamed[places[-1]] = None
                return
        self.blame_all()

    def blame_all(self) -> None:
        """Blame every join that forgot anything."""
        self._blamed |= dict.fromkeys(self._forgotten.values())

    def begins_again(self) -> bool:
        """Whether to explore again, since something was blamed: from now on that is joined exactly."""
        if not self._blamed:
            return False
        self.again += 1
        self._exact |= self._blamed
        self.everywhere = self.again > MOST_AGAIN
        self._blamed.clear()
        self._forgotten.clear()
        self._inferred = (
            {}
            if self.everywhere
            else {place: texts for place, texts in self._inferred.items() if place not in self._exact}
        )
        return True

    def as_dict(self) -> dict[str, Any]:
        """For summaries."""
        return {
            "again": self.again,
            "queries": self.statistics.queries,
            "exact": "everywhere" if self.everywhere else [_named(place) for place in self._exact],
            "places": [{**_named(place), "predicates": list(texts)} for place, texts in self._inferred.items()],
        }


def _named(place: Mark) -> dict[str, Any]:
    function, block, index = place
    return {"function": function, "block": block, "index": index}


class Watch:
    """Observes an exploration: what fails or is given up where a state stands for too much."""

    def __init__(self, refinement: Refinement) -> None:
        self._refinement = refinement
        self._failed: dict[Error, list[Suspects]] = {}
        self._forks = 0

    def tell(self, event: Event) -> None:
        """Note who may be to blame."""
        match event:
            case Forked(_, outcomes):
                self._forks += any(outcome.state.over for outcome in outcomes)
            case Ended(Failed(state, fault)) if state.over:
                self._failed.setdefault(error_of(fault), []).append(suspects(state))
            case Ended(Killed(state, _, _)) | Bounded(state, _) if state.over:
                self._refinement.blame(suspects(state))

    def is_astray(self) -> bool:
        """Whether there are so many forks that what was forgotten may be why."""
        return self._forks > MOST_FORKS and not self._refinement.everywhere

    def spurious(self, alarms: Iterable[Error]) -> list[Error]:
        """The alarms that a join may be to blame for; it is blamed."""
        found = [alarm for alarm in alarms if alarm in self._failed]
        for alarm in found:
            for each in self._failed[alarm]:
                self._refinement.blame(each)
        return found

    def begin_again(self) -> None:
        """Another exploration begins."""
        self._failed.clear()
        self._forks = 0


def suspects(state: State) -> Suspects:
    """The symbols that a state's latest condition depends on, and all that its path knows."""
    path = state.path
    latest = path.touched(path.trail[1].symbols) if path.trail is not None else ()
    near = frozenset().union(*[part.symbols for part in latest])
    return near, frozenset(path.slices)


class UntilAstray:
    """Stops an exploration that goes astray; else as ``other``."""

    def __init__(self, watch: Watch, other: Stopper) -> None:
        self._watch = watch
        self._other = other

    def look(self, frontier: Frontier) -> str | None:
        """Why to stop."""
        return self._other.look(frontier) or (ASTRAY if self._watch.is_astray() else None)
