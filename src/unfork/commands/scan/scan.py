"""unfork scan: every function of a project on any arguments and any heap; what is certainly wrong, ranked."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from unfork.checked_json import parse, text
from unfork.commands.afterwards import export
from unfork.commands.assemble import bounding
from unfork.commands.assemble.building import ONE_AT_A_TIME
from unfork.commands.projects.pool import EACH, Pool, time_left
from unfork.commands.projects.project import sources_of
from unfork.commands.run import cores
from unfork.commands.scan import kept, results, scanning
from unfork.commands.scan.function_scan import make_ready
from unfork.commands.scan.results import Explored, Texts
from unfork.commands.scan.scan_jobs import Jobs, ScanJob, ScanRequest
from unfork.engine.explore.endings import Interrupt
from unfork.errors import InputError
from unfork.options import option_rules
from unfork.options.options import VERSION, Options, as_dict
from unfork.report.record import directory as directories
from unfork.report.record import journal
from unfork.report.record.directory import RunDirectory
from unfork.report.record.journal import RunHeader
from unfork.report.record.kept_run import SCAN, KeptRun
from unfork.report.record.text import plural
from unfork.report.record.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE

_EXITS = {"unsafe": EXIT_UNSAFE, "clean": EXIT_SAFE, "unknown": EXIT_UNKNOWN}
"""By verdicts."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan came to; ``data`` is what scan.json holds."""

    data: dict[str, Any]
    exit_status: int
    directory: Path


def _unknown(
    jobs: Iterable[ScanJob], tell: Callable[[Explored], None], is_over: Callable[[], bool]
) -> Iterator[ScanJob]:
    """The jobs of which no result is kept; ``tell`` is told of all others. There are no more once it ``is_over``."""
    for job in jobs:
        if is_over():
            return
        explored = kept.find(job.key(), job.seconds, job.folder)
        if explored is None:
            yield job
        else:
            tell(explored)


def _begun(jobs: Jobs, wanted: ScanRequest, left_out: Sequence[str]) -> Iterator[ScanJob]:
    """The jobs, of which the first program is built. Raises InputError if it is clear that there is no function."""
    first = next(jobs, None)
    if not jobs.are_any:
        name = "" if "*" in wanted.functions else f" of a name like {' or '.join(map(repr, wanted.functions))}"
        raise InputError(": ".join((f"scan: no function to scan{name}", *left_out[:1])))
    return chain([] if first is None else [first], jobs)


def scan(wanted: ScanRequest, options: Options, say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Scan the functions of the project in ``wanted.paths``. Raises InputError for what cannot be used."""
    options = scanning.preset(options)
    option_rules.check(options)
    directories.check_root(options.out)
    export.check_of_scans(options)

    def begin() -> RunDirectory:
        directory = directories.create(options.out)
        begun = RunHeader(wanted.paths, as_dict(options), tuple(sorted(options.given)), (text(wanted),))
        journal.begin(directory.root, VERSION, begun)
        return directory

    return _scan(wanted, options, begin, say)


def is_scan(root: Path) -> bool:
    """Whether it is the directory of a scan."""
    return (root / SCAN).is_file()


def resume(root: Path, changes: Mapping[str, Any], say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Go on with the scan of a directory; ``changes`` are options, by their names in Options.

    What is kept of its functions is taken over, as in every scan. A limit of time counts from now. Raises InputError.
    """
    version, begun = journal.read_beginning(root)
    if version != VERSION:
        raise InputError(f"{root} was begun by unfork {version}; this is {VERSION}")
    options = replace(option_rules.from_dict(begun.options), given=frozenset(begun.given) | changes.keys(), **changes)
    option_rules.check(options)
    wanted = replace(parse(begun.arguments[0], ScanRequest), is_fresh=False)
    return _scan(wanted, options, lambda: RunDirectory(root), say)


def _scan(
    wanted: ScanRequest, options: Options, begin: Callable[[], RunDirectory], say: Callable[[str], None]
) -> Scanned:
    known = results.known_findings(wanted.baseline)
    sources, left_out = sources_of(wanted.paths, "scan")
    explored: list[Explored] = []
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        make_ready(options, [str(source.path) for source in sources])
        budget = bounding.budget(options, time.monotonic())
        jobs = Jobs(wanted, options, sources, left_out, budget.deadline)
        begun = _begun(jobs, wanted, left_out)
        directory = begin()
        closing.enter_context(directories.claim(directory))
        interrupt = closing.enter_context(Interrupt())
        written = -math.inf
        certain = taken = 0
        about: dict[str, Any] = {"tool": "unfork", "version": VERSION, "program": [str(each.path) for each in sources]}
        about |= {"folder": directories.way_back(options.out), "options": as_dict(options), "left_out": left_out}
        texts = Texts(KeptRun(directory.root, about))

        def data() -> dict[str, Any]:
            told = results.as_dict(explored, jobs.count, time.monotonic() - budget.began, texts, known)
            return {**about, **told, "kept": taken}

        def tell(function: Explored) -> None:
            nonlocal written, certain
            explored.append(function)
            now = time.monotonic()
            if now > written + EACH:
                so_far, written = data(), now
                certain = so_far["new"]
                _write(directory, so_far)
            more = "" if jobs.are_all else " or more"
            done = f"{len(explored)} of {jobs.count}{more} functions"
            left = time_left(len(explored), jobs.count, budget)
            say(f"{done}, {plural(certain, 'certain finding')}, {left}; {function.function} is done")

        def take(function: Explored) -> None:
            nonlocal taken
            taken += 1
            tell(function)

        def is_over() -> bool:
            return interrupt.requested or time.monotonic() > budget.deadline

        _write(directory, data())
        numbered = enumerate(begun)
        placed = (replace(job, folder=directory.root / "functions" / f"{number:04d}") for number, job in numbered)
        many = cores.processes(options)
        pool = Pool[ScanJob, Explored](many, interrupt, lambda job, result: tell(result), budget.deadline)
        pool.run(placed if wanted.is_fresh else _unknown(placed, take, is_over))
        jobs.end()
        told = data()
        _write(directory, told)
        export.write_chosen_of_kept(directory, options)
        if not interrupt.requested and time.monotonic() < budget.deadline:
            journal.end(directory.root)
    status = EXIT_INTERRUPTED if interrupt.requested else _EXITS[told["verdict"]]
    return Scanned(told, status, directory.root)


def _write(directory: RunDirectory, data: dict[str, Any]) -> None:
    directory.write(SCAN, (json.dumps(data, indent=1) + "\n").encode())
