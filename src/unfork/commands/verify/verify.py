"""unfork verify: proves that the functions of a file or a project keep their contracts for all inputs."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unfork.commands.afterwards.export import check_of_proofs, write_chosen_of_kept
from unfork.commands.assemble.building import ONE_AT_A_TIME, FileName, given
from unfork.commands.projects.pool import JobProgress, Pool, not_kept
from unfork.commands.run import cores
from unfork.commands.verify import function_proof
from unfork.commands.verify.function_proof import Proved
from unfork.commands.verify.project_proofs import Project, ProofJob, project_of, sources_in
from unfork.engine.explore.endings import Interrupt
from unfork.errors import InputError
from unfork.logic.solve.solver import FOREVER
from unfork.options import option_rules
from unfork.options.options import Options
from unfork.report.record import directory as directories
from unfork.report.record.notebook import proofs_html
from unfork.report.record.summary import as_json
from unfork.report.record.text import plural

PATIENCE = 60.0
"""Seconds for a query by default: proofs have few, and some are hard."""
_AFTERMATH = 5.0
"""Seconds for functions to report their proofs after the end of the whole."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of verify."""

    verdict: str
    exit_status: int
    functions: tuple[Proved, ...]
    directory: Path
    summary: dict[str, Any]

    def _repr_html_(self) -> str:
        """The proofs for a notebook."""
        return proofs_html(self.summary)


class _ProofReport:
    """The proofs of a project so far, written to summary.json every second."""

    def __init__(
        self,
        project: Project,
        directory: directories.RunDirectory,
        interrupt: Interrupt,
        say: Callable[[str], None],
    ) -> None:
        self._project = project
        self._directory = directory
        self._interrupt = interrupt
        self._progress = JobProgress(project.budget, self.write, say)

    def write(self) -> dict[str, Any]:
        """Write summary.json; returns its data."""
        seconds = time.monotonic() - self._project.budget.began
        data = self._project.summary(seconds, interrupted=self._interrupt.requested)
        self._directory.write("summary.json", as_json(data).encode())
        return data

    def end(self, job: ProofJob, proved: Proved) -> None:
        known, jobs = self._project.proved, len(self._project.jobs)
        known[job.identity] = proved

        def words() -> str:
            unsafe = sum(1 for each in known.values() if each.verdict == "unsafe")
            return f"{len(known)} of {plural(jobs, 'function')}, {unsafe} unsafe"

        self._progress.tell(proved.function, len(known), jobs, words)


def verify(
    files: FileName | Iterable[FileName],
    options: Options | None = None,
    say: Callable[[str], None] = lambda line: None,
    *,
    per_function: float = FOREVER,
    is_fresh: bool = False,
) -> Verified:
    """Prove the contracts of the functions in ``files``: C files, folders, or a compile_commands.json.

    ``options.function`` is a list of patterns of names, separated by commas. Each function may use ``per_function``
    processor seconds. ``is_fresh``: ignore kept proofs. Raises InputError.
    """
    chosen = preset(Options() if options is None else options)
    option_rules.check(chosen)
    check_of_proofs(chosen)
    directories.check_root(chosen.out)
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        asked = given(files)
        closing.callback(asked.close)
        project = project_of(chosen, *sources_in(asked.paths, asked.names), per_function)
        budget = project.budget
        directory = directories.create(chosen.out)
        interrupt = closing.enter_context(Interrupt())
        report = _ProofReport(project, directory, interrupt, say)
        many = cores.processes(chosen)
        pool = Pool[ProofJob, Proved](many, interrupt, report.end, budget.deadline, _AFTERMATH)
        waiting = list(project.jobs if is_fresh else not_kept(project.jobs, report.end))
        pool.run(_timed(waiting, many, budget.deadline))
        for job in waiting:
            if job.identity not in project.proved:
                why = "interrupt" if interrupt.requested else function_proof.MAX_TIME
                project.proved[job.identity] = job.broken_off(None, f"not begun: stopped by {why}", time.monotonic())
        summary = report.write()
        write_chosen_of_kept(directory, chosen)
    proofs = tuple([project.proved[job.identity] for job in project.jobs])
    return Verified(summary["verdict"], summary["exit_status"], proofs, directory.root, summary)


def _timed(jobs: Sequence[ProofJob], many: int, deadline: float) -> Iterator[ProofJob]:
    """The jobs, each with an equal share of the time left when it begins, if ``many`` run at once."""
    for number, job in enumerate(jobs):
        now = time.monotonic()
        yield replace(job, end=now + max(deadline - now, 0.0) / math.ceil((len(jobs) - number) / many))


def preset(options: Options) -> Options:
    """The options of verify: defaults of its own."""
    values: dict[str, Any] = {"loops": options.loops if options.is_given("loops") else "run"}
    if not options.is_given("optimize"):
        values["optimize"] = 0
    if not options.is_given("check"):
        values["check"] = (*options.check, "overflow")
    if not options.is_given("merge"):
        values["merge"] = "none"
    if not options.is_given("solver_timeout"):
        values["solver_timeout"] = PATIENCE
    if options.is_given("prune") and options.prune != "none":
        raise InputError(f"verify: --prune {options.prune} is not supported in proofs")
    return replace(option_rules.complete(options), **values)
