"""Writes the findings of a run in the formats of other tools, at its end or afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from unfork.commands.assemble import outputs
from unfork.commands.assemble.building import ONE_AT_A_TIME, build_program
from unfork.commands.assemble.choices import choose
from unfork.commands.witness import witnesses
from unfork.errors import InputError
from unfork.failures import Failures, Survival
from unfork.options import option_rules
from unfork.options.options import RUN_FORMATS, Options
from unfork.program.llvm.module import Program
from unfork.report.formats import gcc, junit, sarif, source_coverage
from unfork.report.formats.testcomp import of_program
from unfork.report.record.directory import RunDirectory, WriteFailed
from unfork.report.record.kept_run import KeptRun, read_exploration, read_run, where_it_ran
from unfork.world.inputs import object_drivers


@dataclass(frozen=True, slots=True)
class RunFormat:
    """A format of a whole run: its file in the run directory, and the function that makes its bytes.

    ``write`` reads the run directory alone, so that the end of a run and a later export make the same bytes. It raises
    InputError if the format cannot express the run.
    """

    file: str
    write: Callable[[KeptRun], bytes]
    fits_proofs: bool = False
    """Whether it can express proofs, too."""
    fits_scans: bool = False


WHOLE = {
    "sarif": RunFormat("results.sarif", sarif.write, fits_proofs=True, fits_scans=True),
    "junit": RunFormat("junit.xml", junit.write, fits_proofs=True),
    "lcov": RunFormat("lcov.info", source_coverage.lcov),
    "cobertura": RunFormat("cobertura.xml", source_coverage.cobertura),
    "gcc": RunFormat("messages.txt", gcc.write, fits_proofs=True, fits_scans=True),
    "witness": RunFormat("witness.yml", witnesses.write),
}
"""RUN_FORMATS by name."""


def open_run(root: Path) -> KeptRun:
    """The data of a run directory. Raises InputError if it is none."""
    run = read_run(root)
    return run if run.is_of_proofs or run.is_of_scan else _with_program(root, run)


def open_exploration(root: Path) -> KeptRun:
    """The data of a run, with its program. Raises InputError for proofs and scans, too."""
    return _with_program(root, read_exploration(root))


def _with_program(root: Path, run: KeptRun) -> KeptRun:
    root, data = root.resolve(), run.summary
    return replace(run, program=cache(lambda: _build(root, data)), rebuilt=_rebuilder(data))


def export(run: KeptRun, name: str) -> bytes:
    """The run in a format of whole runs. Raises InputError if the format cannot express it."""
    form = WHOLE[name]
    if run.is_of_proofs and not form.fits_proofs:
        raise InputError(f"{name}: {run.root} holds proofs (unfork verify), which it cannot tell of")
    if run.is_of_scan and not form.fits_scans:
        raise InputError(f"{name}: {run.root} holds a scan (unfork scan), which it cannot tell of")
    with ONE_AT_A_TIME, where_it_ran(run) as seen:
        return form.write(seen)


def write_chosen(directory: RunDirectory, options: Options, program: Program, failures: Failures) -> str | None:
    """Write the formats of --formats for a run whose summary is written; failures of the engine go to ``failures``.

    Returns why some of the formats cannot express this run, if so. Raises WriteFailed.
    """
    chosen, untold = _formats_of(options), []
    if not chosen:
        return None
    run = replace(open_run(directory.root), program=lambda: program)
    for name, form in chosen:
        with Survival(failures, f"--formats {name}", WriteFailed):
            try:
                directory.write(form.file, form.write(run))
            except InputError as problem:
                untold.append(f"no {form.file}: {problem}")
    return "; ".join(untold) or None


def write_chosen_of_kept(directory: RunDirectory, options: Options) -> None:
    """Write the formats of --formats for proofs or a scan whose summary is written. Raises WriteFailed."""
    for name, form in _formats_of(options):
        directory.write(form.file, export(open_run(directory.root), name))


def check_of_proofs(options: Options) -> None:
    """Raise InputError for formats that cannot express proofs."""
    _check(options, "proofs have", [name for name in RUN_FORMATS if WHOLE[name].fits_proofs])


def check_of_scans(options: Options) -> None:
    """Raise InputError for formats that cannot express scans."""
    _check(options, "scans have", [name for name in RUN_FORMATS if WHOLE[name].fits_scans])


def _check(options: Options, words: str, fitting: Sequence[str]) -> None:
    for name in choose(options).tests.formats:
        if options.is_given("formats") and name not in fitting:
            raise InputError(f"--formats: {words} {', '.join(fitting)}, and no {name}")


def _formats_of(options: Options) -> list[tuple[str, RunFormat]]:
    """The formats of a whole run among those of --formats, in a fixed order."""
    wanted = choose(options).tests.formats
    return [(name, WHOLE[name]) for name in RUN_FORMATS if name in wanted]


def convert(root: Path, name: str, folder: Path) -> list[Path]:
    """Write the tests of a run in a format of tests into ``folder``. Raises InputError and WriteFailed."""
    run = open_run(root)
    if run.is_of_proofs:
        raise InputError(f"{name}: {root} holds proofs (unfork verify), which have no tests")
    if run.is_of_scan:
        raise InputError(f"{name}: {root} holds a scan (unfork scan), whose tests are below {root}/functions")
    options = replace(option_rules.from_dict(run.summary["options"]), formats=(name,))
    target = RunDirectory(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with ONE_AT_A_TIME, where_it_ran(run) as run:
        metadata = None if name != "xml" else of_program(*_program_file(run), choose(options).start.entry).encode()
        (form,) = outputs.formats(options, run.program)
    if metadata is not None:
        target.write("metadata.xml", metadata)
    for test_name, test in run.tests():
        path = folder / f"{Path(test_name).stem}{form.suffix}"
        target.write(path.name, form.write(test))
        written.append(path)
    return written


def _program_file(run: KeptRun) -> tuple[str, Path]:
    """The first file of the program: its name, and where it is now. Raises InputError."""
    name = str(run.summary["program"][0])
    path = run.source(name)
    if path is None:
        raise InputError(f"xml: {name}, whose hash the metadata needs, cannot be found from here")
    return name, path


def _rebuilder(data: Mapping[str, Any]) -> Callable[[Path, str], Program]:
    options = option_rules.from_dict(data["options"])
    return lambda file, text: build_program(options, [file], [str(data["program"][0])], instead=text)


def _build(root: Path, data: Mapping[str, Any]) -> Program:
    options = option_rules.from_dict(data["options"])
    bitcode = root / "program.bc"
    if not bitcode.is_file():
        raise InputError(f"{bitcode}: no such file")
    program = build_program(options, [bitcode], [str(file) for file in data["program"]])
    program.driver = object_drivers.read_driver(root)
    return program
