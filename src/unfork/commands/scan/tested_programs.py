"""The programs of a scan's tests: with what stands for callers, and with the function that makes their objects."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from unfork.checked_json import parse, text
from unfork.commands.afterwards.replay import ProgramBuilder
from unfork.commands.projects.project import BuildSource
from unfork.commands.projects.projects import build_with_callbacks
from unfork.options.options import Options
from unfork.program.c.object_calls import GivenArgument, ObjectArgument, ObjectCall, ObjectDriver, text_of_drivers
from unfork.program.llvm.module import Program
from unfork.report.record.directory import RunDirectory
from unfork.report.record.kept_run import SCAN, KeptRun, read_run, where_it_ran
from unfork.world.inputs.testcase import TestCase

_DRIVER = "objects.json"


@dataclass(frozen=True, slots=True)
class _KeptArgument:
    """An argument of a call: one that is given has a ``kind``."""

    name: str
    kind: str = ""
    is_place: bool = False

    def argument(self) -> GivenArgument | ObjectArgument:
        return GivenArgument(self.name, self.kind) if self.kind else ObjectArgument(self.name, self.is_place)


@dataclass(frozen=True, slots=True)
class _KeptCall:
    """A call of a driver."""

    function: str
    arguments: tuple[_KeptArgument, ...]
    flag: str
    makes: str
    is_filler: bool
    is_result: bool
    success: str

    def call(self) -> ObjectCall:
        arguments = tuple([each.argument() for each in self.arguments])
        return ObjectCall(self.function, arguments, self.flag, self.makes, self.is_filler, self.is_result, self.success)


@dataclass(frozen=True, slots=True)
class _KeptDriver:
    """A driver as ObjectDriver describes it, and the source to which its text is appended."""

    source: str
    name: str
    objects: tuple[tuple[str, str], ...]
    makers: tuple[tuple[_KeptCall, ...], ...]
    steps: tuple[tuple[_KeptCall, ...], ...]
    entry: _KeptCall

    def driver(self) -> ObjectDriver:
        makers, steps = (
            tuple([tuple([each.call() for each in group]) for group in groups]) for groups in (self.makers, self.steps)
        )
        return ObjectDriver(self.name, self.objects, makers, steps, self.entry.call())


def keep_driver(folder: Path, program: Program, driver: ObjectDriver) -> None:
    """Write the driver of a function's tests beside them."""
    source = program.c_types.source_of(driver.entry.function)
    RunDirectory(folder).write(_DRIVER, text({"source": source, **asdict(driver)}).encode())


def of_scan(root: Path, test: TestCase) -> tuple[dict[str, Any], ProgramBuilder] | None:
    """The data of the scan that a function's folder ``root`` is part of, as of a run of the function that ``test``
    calls; and what builds its program. None if it is part of none. Raises InputError.
    """
    scan = root.resolve().parent.parent
    if not (scan / SCAN).is_file():
        return None
    run = read_run(scan)
    heap = test.command.heap
    options = {**run.summary["options"], "function": "main" if heap is None else heap.function}
    folder = os.path.join("..", "..", run.summary["folder"])
    data = {**run.summary, "program": [*test.program], "folder": folder, "options": options}
    return data, partial(_built, run, root.resolve() / _DRIVER)


def _built(run: KeptRun, kept: Path, options: Options, paths: Sequence[Path], sources: Sequence[Path]) -> Program:
    with where_it_ran(run):
        flags = run.summary["flags"]
        files = [
            BuildSource(path, tuple(flags.get(str(path), ())), str(name))
            for path, name in zip(paths, sources, strict=True)
        ]
        if not kept.is_file():
            return build_with_callbacks(options, files)
        known = parse(kept.read_bytes(), _KeptDriver)
        driver = known.driver()
        place = next(each.path for each in files if each.path.resolve() == Path(known.source).resolve())
        program = build_with_callbacks(options, files, after=((place, text_of_drivers([driver])),))
        program.object_drivers = {driver.name: driver}
        return program
