"""What a run proves: the documented table of verdicts and exit statuses, as a pure function."""

from __future__ import annotations

from dataclasses import dataclass

EXIT_SAFE = 0
EXIT_UNSAFE = 1
EXIT_UNUSABLE = 2
EXIT_UNKNOWN = 3
EXIT_INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Happened:
    """The input of a verdict, as counts and names."""

    errors: int = 0
    """Errors whose tests replay."""
    alarms: int = 0
    interrupted: bool = False
    solver_unknown: int = 0
    unsupported: int = 0
    capacity: int = 0
    """Paths cut by a capacity that the user did not set."""
    has_failed: bool = False
    dropped: int = 0
    refuted: int = 0
    """Failed obligations of an audit: a join or a pruning was wrong."""
    stopped_by: str | None = None
    bounds_hit: frozenset[str] = frozenset()
    """The user's bounds that cut a path."""
    under_covers: int = 0
    """States covered under an abstraction that may lose behaviour."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The word in the summary, and the command's exit status."""

    word: str
    exit_status: int


def judge(happened: Happened) -> Verdict:
    """The verdict: the first row of the table that applies."""
    if happened.errors:
        return Verdict("unsafe", EXIT_UNSAFE)
    if happened.interrupted:
        return Verdict("unknown", EXIT_INTERRUPTED)
    if (
        happened.alarms
        or happened.solver_unknown
        or happened.unsupported
        or happened.capacity
        or happened.has_failed
        or happened.dropped
        or happened.refuted
        or happened.stopped_by is not None
    ):
        return Verdict("unknown", EXIT_UNKNOWN)
    if happened.bounds_hit or happened.under_covers:
        return Verdict("bounded", EXIT_SAFE)
    return Verdict("safe", EXIT_SAFE)
