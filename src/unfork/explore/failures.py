"""Failures of the engine itself: each costs a path, a join or a cover, never the results, and is reported."""

from __future__ import annotations

import contextlib
import traceback
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from unfork.contracts.events import Event
from unfork.contracts.frontier import Frontier
from unfork.contracts.joiner import Joiner, Union
from unfork.contracts.observer import Observer
from unfork.contracts.order import Parents
from unfork.contracts.outcome import Killed, Outcome
from unfork.contracts.pruner import Evidence, Pruner
from unfork.contracts.rest import Rest
from unfork.contracts.stepper import Stepper
from unfork.errors import InputError
from unfork.explore.endings import Breakable, TimeIsOver
from unfork.state.place import position_of
from unfork.state.state import State

INTERNAL_ERROR = "internal-error"
"""Why a path was given up, or why a run stopped."""
NO_MEMORY = "no-memory"
"""Why a run stopped: the system refused it memory."""
_SOURCES = Path(__file__).parents[1]
_KEPT = 10
"""Failures of different places that are described."""
_LAST_CALLS = 40
"""Calls of a traceback that are kept: in an endless recursion all say the same."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception that nobody expected: its class, where in the engine, one line about it, and the traceback."""

    kind: str
    place: str
    line: str
    trace: str

    def as_dict(self) -> dict[str, str]:
        """The failure in summary.json."""
        return {"class": self.kind, "place": self.place, "line": self.line}


class Failures:
    """What went wrong in a run, one failure for each place and class, in the order in which they came."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Failure] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self.latest = ""
        """Class and place of the last one."""

    def note(self, error: Exception, cost: str) -> None:
        """Keep ``error``, which cost us ``cost``."""
        kind, place = type(error).__name__, _place(error.__traceback__)
        self._counts[kind, place] += 1
        self.latest = f"{kind} in {place}"
        if (kind, place) not in self._kept and len(self._kept) < _KEPT:
            message = " ".join(str(error).split())
            trace = "".join(traceback.format_exception(error, limit=-_LAST_CALLS))
            line = f"{kind} in {place}{': ' if message else ''}{message} (it cost {cost})"
            self._kept[kind, place] = Failure(kind, place, line, trace)

    def all(self) -> list[Failure]:
        """Those that were kept."""
        return list(self._kept.values())

    def keep(self, failure: Failure) -> None:
        """Keep what went wrong in another process of the run."""
        key = failure.kind, failure.place
        self._counts[key] += 1
        self._kept.setdefault(key, failure)

    @property
    def first(self) -> Failure | None:
        """The one that came first, if any did."""
        return next(iter(self._kept.values()), None)

    @property
    def first_mistake(self) -> Failure | None:
        """The first one that is more than a lack of memory."""
        lack = MemoryError.__name__
        return next((failure for failure in self._kept.values() if failure.kind != lack), None)

    def text(self) -> str:
        """crash.txt: all that were kept, with their tracebacks."""
        parts = []
        for key, failure in self._kept.items():
            count = self._counts[key]
            times = "" if count == 1 else f", {count} times"
            parts.append(f"{failure.line}{times}\n\n{failure.trace}")
        return "\n".join(parts)


def _place(at: TracebackType | None) -> str:
    """FILE:LINE in FUNCTION of the innermost call in our own code."""
    place = "unknown place"
    while at is not None:
        path = Path(at.tb_frame.f_code.co_filename)
        if _SOURCES in path.parents:
            place = f"{path.relative_to(_SOURCES)}:{at.tb_lineno} in {at.tb_frame.f_code.co_name}"
        at = at.tb_next
    return place


class Survival:
    """While entered, exceptions are noted and go no further, except ``fatal`` ones. Ctrl-C is no failure."""

    def __init__(self, failures: Failures, cost: str, *fatal: type[Exception]) -> None:
        self._failures = failures
        self._what = cost
        self._fatal = fatal

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        if not isinstance(error, Exception) or isinstance(error, self._fatal):
            return False
        self._failures.note(error, self._what)
        return True


class SurvivingStepper:
    """A stepper whose failures cost the path. Lack of memory is not one path's matter: it is raised."""

    def __init__(self, stepper: Stepper, failures: Failures, breakable: Breakable) -> None:
        self._stepper = stepper
        self._failures = failures
        self._survival = Survival(failures, "a path", MemoryError, InputError)
        self._breakable = breakable

    def step(self, state: State, rest: Rest) -> list[Outcome]:
        """As the stepper's, or the state killed."""
        try:
            with self._survival, self._breakable:
                return self._stepper.step(state, rest)
        except InputError as problem:  # a function that cannot be read: found out when it is first called
            return [Killed(state, "unsupported", str(problem))]
        return [Killed(state, INTERNAL_ERROR, f"{self._failures.latest} at {_where(state)}")]


class SurvivingPruner:
    """A pruner whose failures cost a cover, or something learnt; so does the end of the time."""

    def __init__(self, pruner: Pruner, failures: Failures, breakable: Breakable) -> None:
        self._pruner = pruner
        self._survival = Survival(failures, "pruning", MemoryError)
        self._breakable = breakable

    def cover(self, state: State) -> Evidence | None:
        """As the pruner's, or nothing."""
        with contextlib.suppress(TimeIsOver), self._survival, self._breakable:
            return self._pruner.cover(state)
        return None

    def learn(self, node: int) -> None:
        """As the pruner's, or nothing."""
        with contextlib.suppress(TimeIsOver), self._survival, self._breakable:
            self._pruner.learn(node)


class SurvivingJoiner:
    """A joiner whose failures cost a join, as the end of the time does: its law says that the parents are unchanged."""

    def __init__(self, joiner: Joiner, failures: Failures, breakable: Breakable) -> None:
        self._joiner = joiner
        self._survival = Survival(failures, "a join", MemoryError)
        self._breakable = breakable

    def join(self, state: State, parents: Parents, frontier: Frontier) -> Union | None:
        """As the joiner's, or none."""
        with contextlib.suppress(TimeIsOver), self._survival, self._breakable:
            return self._joiner.join(state, parents, frontier)
        return None


class SurvivingObserver:
    """An observer whose failures cost what it would have noted, and no path, unless they are ``fatal``.

    ``within`` is what it is told in: a Breakable where it may be broken off.
    """

    def __init__(
        self, observer: Observer, failures: Failures, within: AbstractContextManager[None], *fatal: type[Exception]
    ) -> None:
        self._observer = observer
        self._survival = Survival(failures, "what was to be noted", MemoryError, *fatal)
        self._within = within

    def tell(self, event: Event) -> None:
        """Tell it."""
        with contextlib.suppress(TimeIsOver), self._survival, self._within:
            self._observer.tell(event)


def _where(state: State) -> str:
    place = None
    with contextlib.suppress(Exception):  # whatever is wrong with the state is reported already
        place = position_of(state)
    return "unknown place" if place is None else f"{place.file}:{place.line}"
