"""Failures of the engine itself, and how a run survives them."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from unfork.errors import UnforkError

INTERNAL_ERROR = "internal-error"
"""The reason why a path was given up, or why a run stopped."""
NO_MEMORY = "no-memory"
"""The reason why a run stopped: the system refused memory."""
CRASH = "crash.txt"
"""The file in a run directory with the tracebacks of engine failures."""
_SOURCES = Path(__file__).parent
_KEPT = 10
"""Most failures, at different source locations, that are described."""
_LAST_CALLS = 40
"""Innermost calls of a traceback that are kept: an endless recursion repeats itself."""


@dataclass(frozen=True, slots=True)
class InternalFailure:
    """An unexpected exception: its class, its place in the engine, one line about it, and its traceback."""

    kind: str
    place: str
    line: str
    trace: str

    def as_dict(self) -> dict[str, str]:
        """The failure in summary.json."""
        return {"class": self.kind, "place": self.place, "line": self.line}


class Failures:
    """The failures of a run, one for each source location and class, in order."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], InternalFailure] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self.latest = ""
        """Class and source location of the last failure."""

    def note(self, error: Exception, cost: str) -> None:
        """Keep ``error``, which cost the run ``cost``."""
        kind, place = type(error).__name__, _location(error.__traceback__)
        self._counts[kind, place] += 1
        self.latest = f"{kind} in {place}"
        if (kind, place) not in self._kept and len(self._kept) < _KEPT:
            message = " ".join(str(error).split())
            trace = "".join(traceback.format_exception(error, limit=-_LAST_CALLS))
            line = f"{kind} in {place}{': ' if message else ''}{message} (it cost {cost})"
            self._kept[kind, place] = InternalFailure(kind, place, line, trace)

    def all(self) -> list[InternalFailure]:
        """The failures that were kept."""
        return list(self._kept.values())

    def keep(self, failure: InternalFailure) -> None:
        """Keep a failure of another process of the run."""
        key = failure.kind, failure.place
        self._counts[key] += 1
        self._kept.setdefault(key, failure)

    @property
    def first(self) -> InternalFailure | None:
        """The first failure, if any."""
        return next(iter(self._kept.values()), None)

    @property
    def first_mistake(self) -> InternalFailure | None:
        """The first failure that is no lack of memory, if any."""
        lack = MemoryError.__name__
        return next((failure for failure in self._kept.values() if failure.kind != lack), None)

    def text(self) -> str:
        """The text of crash.txt: all failures that were kept, with their tracebacks."""
        parts = []
        for key, failure in self._kept.items():
            count = self._counts[key]
            times = "" if count == 1 else f", {count} times"
            parts.append(f"{failure.line}{times}\n\n{failure.trace}")
        return "\n".join(parts)


def _location(at: TracebackType | None) -> str:
    """FILE:LINE in FUNCTION of the innermost call in unfork's own code."""
    location = "unknown place"
    while at is not None:
        path = Path(at.tb_frame.f_code.co_filename)
        if _SOURCES in path.parents:
            location = f"{path.relative_to(_SOURCES)}:{at.tb_lineno} in {at.tb_frame.f_code.co_name}"
        at = at.tb_next
    return location


class Survival:
    """Catches and notes exceptions raised inside it, except ``fatal`` ones and Ctrl-C."""

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


class EngineFailed(UnforkError):
    """The engine failed where no result could be saved; crash.txt in ``directory`` has the traceback."""

    def __init__(self, failure: InternalFailure, directory: Path) -> None:
        super().__init__(failure.line)
        self.failure = failure
        self.directory = directory
