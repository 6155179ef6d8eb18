"""summary.json: options, findings and counts of a run, under documented names for scripts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.events import Beat, Began, Bounded, Covered, Dropped, Ended, Event, Joined, Left
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.state import State
from unfork.failures import INTERNAL_ERROR, InternalFailure
from unfork.logic.solve.solver import Statistics
from unfork.reduce.merge.merge_table import MergeCounts
from unfork.reduce.prune.contract import PruneCounts
from unfork.report.record.coverage_measure import Coverage
from unfork.report.record.directory import RunDirectory, way_back
from unfork.report.record.findings import Finding
from unfork.report.record.text import failure_line, sampling_line
from unfork.report.record.verdict import Happened, Verdict, judge

if TYPE_CHECKING:
    from unfork.engine.explore.shadows import PathCount
    from unfork.reduce.audit.prove import AuditCounts

SOLVER_UNKNOWN = "solver-unknown"
CAPACITY = "capacity"
ALONE = "volatile variables are changed by nobody but the program"
_SIZE_SIGN = "--max-size"
"""Part of the detail if --max-size cut a path."""


@dataclass(frozen=True, slots=True)
class Account:
    """A run, as the summary presents it.

    ``stopped_by`` is None, a limit's name, "interrupt", "disk-full", "write-failed", "no-memory", "internal-error",
    or KILLED, which every summary has that is written during the run.
    """

    version: str
    program: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int
    stopped_by: str | None
    size_is_bound: bool
    """Whether the user gave --max-size, so that reaching it is a bound."""
    tally: Tally
    statistics: Statistics
    coverage: Coverage | None
    """None during the run, or if measuring it failed."""
    errors: Sequence[Finding]
    alarms: Sequence[Finding]
    seconds: float
    merges: MergeCounts
    unexpanded: int = 0
    """Joined states with paths that lack a test, if each path should have one."""
    prunes: PruneCounts = field(default_factory=PruneCounts)
    path_count: PathCount | None = None
    audit: AuditCounts | None = None
    assumptions: Sequence[str] = ()
    notes: Sequence[str] = ()
    """Remarks on how the program was read."""
    failure: InternalFailure | None = None
    unwritten: int = 0
    """Tests that were due when time was over."""
    strategies: Sequence[Mapping[str, Any]] = ()
    inferred: Mapping[str, Any] | None = None
    """The predicates that joins inferred, and the exact locations; None unless predicates are inferred."""
    workers: Sequence[Mapping[str, Any]] = ()
    """The result of each process that explored the first strategy, if there were several."""
    arguments: Sequence[str] = ()
    """The user's arguments for the program, with KLEE's words."""
    given: Collection[str] = ()
    """The user's options, by their names in Options, with those of a strategy."""
    seeds: Mapping[str, Any] | None = None
    """What became of a corpus; None without one, and during the run."""


def facts_of(account: Account) -> Happened:
    """The input of the verdict."""
    by_reason: Counter[str] = Counter()
    for (reason, _), count in account.tally.kills.items():
        by_reason[reason] += count
    capacity = by_reason.pop(CAPACITY, 0)
    unknown = by_reason.pop(SOLVER_UNKNOWN, 0)
    by_reason.pop(INTERNAL_ERROR, 0)
    interrupted = account.stopped_by == "interrupt"
    return Happened(
        errors=len(account.errors),
        alarms=len(account.alarms),
        interrupted=interrupted,
        solver_unknown=max(unknown, account.statistics.unknown),
        unsupported=sum(by_reason.values()),
        capacity=capacity - _cut_by_size(account),
        has_failed=account.failure is not None,
        dropped=account.tally.dropped,
        refuted=0 if account.audit is None else account.audit.failed,
        stopped_by=None if interrupted else account.stopped_by,
        bounds_hit=frozenset(bounds_hit(account)),
        under_covers=account.prunes.under,
    )


def verdict(account: Account) -> Verdict:
    """The verdict of a run."""
    return judge(facts_of(account))


def otherwise(account: Account) -> str:
    """The verdict if there were no errors."""
    return judge(replace(facts_of(account), errors=0)).word


def bounds_hit(account: Account) -> list[str]:
    """The user's bounds that cut a path."""
    bounds = set(account.tally.bounds_hit)
    if _cut_by_size(account):
        bounds.add("max-size")
    return sorted(bounds)


def _cut_by_size(account: Account) -> int:
    if not account.size_is_bound:
        return 0
    return sum(
        count for (reason, detail), count in account.tally.kills.items() if reason == CAPACITY and _SIZE_SIGN in detail
    )


def unsupported(account: Account) -> list[str]:
    """Unsupported constructs that the run met, each once."""
    others = (SOLVER_UNKNOWN, CAPACITY, INTERNAL_ERROR)
    return sorted(detail for reason, detail in account.tally.kills if reason not in others)


def summary(account: Account) -> dict[str, Any]:
    """The summary as plain data."""
    tally = account.tally
    return {
        "tool": "unfork",
        "version": account.version,
        "program": list(account.program),
        "folder": way_back(account.options.get("out")),
        "options": dict(account.options),
        "seed": account.seed,
        "arguments": list(account.arguments),
        "given": sorted(account.given),
        "verdict": verdict(account).word,
        "exhausted": account.stopped_by is None
        and not (tally.dropped or tally.killed or tally.bounded or account.statistics.sampled),
        "stopped_by": account.stopped_by,
        "bounds_hit": bounds_hit(account),
        "unsupported": unsupported(account),
        "given_up": [
            {"reason": reason, "detail": detail, "paths": count}
            for (reason, detail), count in sorted(tally.kills.items())
        ],
        "errors": [error.as_dict() for error in account.errors],
        "alarms": [alarm.as_dict() for alarm in account.alarms],
        "assumptions": list(account.assumptions),
        "paths": {
            "completed": tally.completed,
            "represented": tally.represented,
            "pruned": tally.pruned,
            "killed": tally.killed,
            "silent": tally.silent,
            "bounded": tally.bounded,
            "unexpanded": account.unexpanded,
            **_path_counts(account.path_count if _is_counted(account) else None),
            "estimated": _estimated(account.path_count),
        },
        "threads": tally.threads,
        "states": {"created": tally.created, "peak": tally.peak, "dropped": tally.dropped, "left": tally.left},
        "merges": {
            "done": tally.joins,
            **_merges(account.merges),
            **({} if account.inferred is None else {"inferred": dict(account.inferred)}),
        },
        "prunes": _prunes(account.prunes),
        "audit": None if account.audit is None else account.audit.as_dict(),
        "tests": tally.tests,
        "tests_unwritten": account.unwritten,
        "instructions": tally.instructions,
        "blocks": 0 if account.coverage is None else account.coverage.blocks,
        "forks": tally.forks,
        "solver": account.statistics.as_dict(),
        "coverage": None if account.coverage is None else account.coverage.as_dict(),
        "seconds": round(account.seconds, 3),
        "peak_memory_mb": tally.resident_peak >> 20,
        "seeds": account.seeds,
        "strategies": list(account.strategies),
        "workers": list(account.workers),
        "internal_error": None if account.failure is None else account.failure.as_dict(),
    }


def _merges(counts: MergeCounts) -> dict[str, Any]:
    return {
        "refused": dict(sorted(counts.refused.items())),
        "forwarded": counts.forwarded,
        "forwarded_merged": counts.forwarded_merged,
        "chosen_forward": counts.chosen_forward,
        "chosen_driving": counts.chosen_driving,
        "undone": counts.undone,
        "stopped": dict(sorted(counts.stopped.items())),
    }


def _path_counts(count: PathCount | None) -> dict[str, Any]:
    """What --count-paths adds to "paths"; nulls without it."""
    if count is None:
        return {"counted": None, "uncounted": 0, "multiplicity_fit": None, "counting": None}
    fit = None if count.fit is None else count.fit.as_dict()
    queries = count.statistics.as_dict()
    return {"counted": count.paths, "uncounted": count.uncounted, "multiplicity_fit": fit, "counting": queries}


def _is_counted(account: Account) -> bool:
    return bool(account.options.get("count-paths"))


def _estimated(count: PathCount | None) -> dict[str, Any] | None:
    """The paths of a run that joins; None if it does not, or if not all of them were followed."""
    return None if count is None or count.estimate is None else count.estimate.as_dict()


def _count_warnings(account: Account) -> list[str]:
    """What is said of paths that were not counted one by one."""
    count = account.path_count
    if count is None:
        return []
    lines = []
    if _is_counted(account) and count.uncounted:
        how = "not counted" if count.estimate is None else "estimated, not counted"
        lines.append(f"count-paths: the paths of {count.uncounted} joined states were {how}")
    if count.estimate is not None and (lost := count.estimate.lost):
        lines.append(f"path-sample: the number of paths is too small, since sampled paths were lost: {lost}")
    return lines


def _prunes(counts: PruneCounts) -> dict[str, Any]:
    by_reason = {name: dict(sorted(getattr(counts, name).items())) for name in ("refused", "unlearnt")}
    return {**asdict(counts), **by_reason, "seconds": round(counts.seconds, 3)}


def as_json(data: Mapping[str, Any]) -> str:
    """The text of summary.json."""
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def compiler_warnings(said: str) -> list[str]:
    """The lines of the compiler's output that are warnings with locations."""
    return [f"compiler: {line}" for line in said.splitlines() if ": warning: " in line]


def warnings(account: Account) -> str:
    """The text of warnings.txt: lost paths, alarms and more; "" without any."""
    lines = list(account.notes)
    for (reason, detail), count in sorted(account.tally.kills.items()):
        paths = "1 path" if count == 1 else f"{count} paths"
        lines.append(f"{reason}: {' '.join(detail.split())} ({paths} given up)")
    lines += [
        f"alarm: {alarm.kind} at {alarm.file}:{alarm.line} from {alarm.test}: {alarm.reason}"
        for alarm in account.alarms
    ]
    if sampled := account.statistics.sampled:
        lines.append(sampling_line(sampled))
    if account.audit is not None:
        lines += [f"audit: {failure_line(failure)}" for failure in account.audit.as_dict()["failures"]]
    if account.failure is not None:
        lines.append(f"internal error: {account.failure.line}; the traceback is in crash.txt")
    if account.unwritten:
        lines.append(f"tests: {account.unwritten} were not written, since the time was over")
    if account.unexpanded:
        lines.append(f"tests: {account.unexpanded} joined states stand for more paths than have a test")
    lines += _count_warnings(account)
    if account.tally.dropped:
        lines.append(f"max-memory: {account.tally.dropped} states were dropped")
    return "".join(line + "\n" for line in lines)


_BEATS = 50
"""Beats between two summaries (about five seconds)."""


class SoFar:
    """Writes the summary at the start, after each new error, and every few seconds."""

    def __init__(self, directory: RunDirectory, account: Callable[[], Account]) -> None:
        self._directory = directory
        self._account = account
        self._beats = 0
        self._errors = -1
        self._write()

    def tell(self, event: Event) -> None:
        """Write the summary if it is due, or if there is a new error. Raises WriteFailed."""
        match event:
            case Beat():
                self._beats += 1
                if self._beats % _BEATS == 0:
                    self._write()
            case Ended(Failed()):
                self._write_errors()

    def _write_errors(self) -> None:
        account = self._account()
        if len(account.errors) > self._errors:
            self._write()

    def _write(self) -> None:
        account = self._account()
        self._errors = len(account.errors)
        self._directory.write("summary.json", as_json(summary(account)).encode())


class Assumptions:
    """Observes a run and collects its states' assumptions about the heap of a function and the world."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._assumed = set(given)

    def tell(self, event: Event) -> None:
        """Collect the assumptions of a run's first states, of parents of joins, and of states that end."""
        match event:
            case Ended() | Bounded() | Covered() | Dropped() | Left():
                self._take(event.state)
            case Began(states) | Joined(states, _):
                for state in states:
                    self._take(state)

    def _take(self, state: State) -> None:
        self._assumed |= state.lazy.assumptions
        if state.volatile_reads:
            self._assumed.add(ALONE)

    def restore(self, words: Iterable[str]) -> None:
        """Add the assumptions of an earlier process."""
        self._assumed.update(words)

    def words(self) -> list[str]:
        """Each assumption once, sorted."""
        return sorted(self._assumed)
