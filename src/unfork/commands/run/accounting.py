"""The account of a run for its summary: while it goes on, when it is over, and when it failed before it began."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from unfork.commands.run.messages import Counts, Standing, of_paths
from unfork.commands.run.race import Race
from unfork.commands.run.saving import count
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.commands.run.strategy_worker import Worker
from unfork.engine.explore.tally import PointCounts, Tally
from unfork.errors import InputError
from unfork.failures import CRASH, INTERNAL_ERROR, EngineFailed, Failures, Survival
from unfork.logic.solve.solver import Statistics
from unfork.options import options as choices
from unfork.options.options import VERSION, Options
from unfork.reduce.merge.merge_table import MergeCounts
from unfork.reduce.prune.contract import PruneCounts
from unfork.report.record import directory as directories
from unfork.report.record.coverage_measure import Coverage, measure
from unfork.report.record.directory import RunDirectory, WriteFailed
from unfork.report.record.summary import Account, as_json, compiler_warnings, summary
from unfork.report.record.text import KILLED
from unfork.report.replay.second_opinion import NativeCheck, NoCheck

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Accounts:
    """Gives the account of a run: its ``worker``, and the ``race`` that it leads. ``notes`` come from a cluster."""

    strategy: StrategyPlan
    worker: Worker
    race: Race | None
    check: NativeCheck | NoCheck
    notes: Sequence[str]
    seeds: Callable[[], Mapping[str, Any] | None] = lambda: None
    """What became of a corpus."""

    def standings(self) -> tuple[Standing, ...]:
        return () if self.race is None else tuple(self.race.standings())

    def doing(self) -> list[str]:
        standings = self.standings()
        return [standing.doing() for standing in standings if standings[0].rounds]

    def counts_by_point(self) -> Sequence[tuple[str, PointCounts]]:
        team = self.worker.team
        own = self.worker.explorer.parts.placing.counts
        if team.members:
            own = team.counts(count(self.worker.explorer, is_going=True)).places
        others = {} if self.race is None else self.race.others
        return [
            (self.strategy.name, own),
            *[(other, standing.places) for other, standing in others.items() if standing.rounds],
        ]

    def so_far(self) -> Account:
        explorer, recorder = self.worker.explorer, self.worker.recorder
        options, program, parts = explorer.options, explorer.program, explorer.parts
        return Account(
            VERSION,
            explorer.files,
            choices.as_dict(options),
            options.seed,
            KILLED,
            options.is_given("max_size"),
            parts.tally,
            parts.engine.chain.statistics,
            None,
            recorder.errors,
            recorder.alarms,
            explorer.seconds(),
            parts.scheduled.counts,
            recorder.unexpanded,
            audit=explorer.proofs.audited,
            assumptions=explorer.assumptions(),
            notes=(*program.notes, *parts.engine.machine.notes(), *self.notes, *compiler_warnings(program.warnings)),
            failure=explorer.failures.first,
            unwritten=recorder.unwritten
            + self.worker.team.unwritten
            + (0 if self.race is None else self.race.unwritten),
            strategies=[standing.as_dict() for standing in self.standings()],
            inferred=parts.refinement.as_dict() if parts.infers else None,
            arguments=self.strategy.arguments,
            given=options.given,
        )

    def at_the_end(self) -> Account:
        """The account of a run that is over, with coverage, prunes and the count of paths."""
        explorer, team, account = self.worker.explorer, self.worker.team, self.so_far()
        parts = explorer.parts
        prunes = self._surely(parts.pruned.finish, PruneCounts(), "what pruning came to")
        if team.members:
            counts = team.counts(replace(count(explorer), prunes=prunes))
            account, prunes = _with_counts(account, counts), counts.prunes
        if self.race is not None and self.race.winner is not None:
            counts = self.race.winner.counts
            account, prunes = _with_counts(account, counts), counts.prunes
        return replace(
            account,
            stopped_by=explorer.stopped_by or ("max-time" if self.check.is_cut_short else None),
            coverage=self._surely(self._measured, None, "coverage"),
            prunes=prunes,
            path_count=self._surely(explorer.proofs.paths, None, "the count of paths"),
            seconds=explorer.seconds(),
            failure=explorer.failures.first,
            workers=team.as_dicts() if team.members else (),
            seeds=self._surely(self.seeds, None, "what became of the corpus"),
        )

    def _measured(self) -> Coverage | None:
        explorer = self.worker.explorer
        roots = (explorer.options.entry, *explorer.program.constructors)
        return measure(explorer.program, explorer.parts.engine.coverage, roots, explorer.has_run)

    def _surely(self, find: Callable[[], _T], otherwise: _T, what: str) -> _T:
        with Survival(self.worker.explorer.failures, what):
            return find()
        return otherwise


def _with_counts(account: Account, counts: Counts) -> Account:
    """The account with the ``counts`` of other processes: a whole team, or the winner of the race."""
    ours = account.tally
    peak = max(ours.resident_peak, counts.tally.resident_peak)
    return replace(
        account,
        tally=replace(of_paths(counts.tally, ours), resident_peak=peak),
        statistics=counts.statistics,
        merges=counts.merges,
        assumptions=counts.assumptions,
    )


# --- a run that an engine failure leaves without a result


@contextlib.contextmanager
def reporting_failures(files: Sequence[str | Path], options: Options) -> Iterator[None]:
    """Turn an unexpected exception into EngineFailed, and write its traceback into a run directory."""
    try:
        yield
    except (InputError, WriteFailed):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise  # a file that the system refuses to open
        failures = Failures()
        failures.note(error, "the run")
        raise _write_failure([str(file) for file in files], options, failures) from error


def _write_failure(files: Sequence[str], options: Options, failures: Failures) -> EngineFailed:
    is_there = options.out is not None and Path(options.out).is_dir()
    directory = (
        RunDirectory(Path(options.out)) if is_there and options.out is not None else directories.create(options.out)
    )
    account = Account(
        VERSION,
        tuple(files),
        choices.as_dict(options),
        options.seed,
        INTERNAL_ERROR,
        options.is_given("max_size"),
        Tally(),
        Statistics(),
        None,
        (),
        (),
        0.0,
        MergeCounts(),
        failure=failures.first,
    )
    directory.write("summary.json", as_json(summary(account)).encode())
    directory.write(CRASH, failures.text().encode("utf-8", "backslashreplace"))
    assert failures.first is not None
    return EngineFailed(failures.first, directory.root)
