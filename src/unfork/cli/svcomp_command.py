"""unfork svcomp: answer a task of SV-COMP or Test-Comp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from unfork.cli.streams import complain, say
from unfork.cli.words import SOUNDNESS, Exploring, WordChoice, files
from unfork.commands.svcomp import svcomp, validate
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.c.escape import escape_text
from unfork.report.record.verdict import EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE

_ALLOWED = ("max_time", "max_memory", "cores", "seed", "solver", "solver_timeout", "native_check", "out")
_HELP = f"""Print the verdict line, and write witness and tests, for the competitions.

The line is true, false(PROPERTY), unknown, or done where the property asks for tests (docs/svcomp.md).

{SOUNDNESS}"""
_VALIDATE = """Of a violation witness, explore what it leaves open, and print false(PROPERTY) if its target is reached;
of a correctness witness, prove its invariants and with them the property, and print true."""


@click.command(
    "svcomp",
    cls=Exploring,
    names=_ALLOWED,
    refusal="svcomp: {} is chosen by the property",
    params=[files("TASK.c")],
    options_metavar="--property FILE --data-model ILP32|LP64 [OPTIONS]",
    help=_HELP,
)
@click.option("--property", "property_file", metavar="FILE", required=True, help="The property's file (.prp).")
@click.option(
    "--data-model",
    required=True,
    metavar="ILP32|LP64",
    type=WordChoice(["ILP32", "LP64"]),
    help="The widths of types; in ILP32, long and pointers have 32 bits.",
)
@click.option("--witness", metavar="FILE", help="Where the witness goes (default: witness.yml in the run directory).")
@click.option(
    "--suite",
    metavar="DIR",
    help="Where tests go that a property asks for (default: test-suite in the run directory).",
)
@click.option("--validate", "checked", metavar="WITNESS", help=_VALIDATE)
def svcomp_command(
    files: tuple[str, ...],
    options: Options,
    property_file: str,
    data_model: str,
    witness: str | None,
    suite: str | None,
    checked: str | None,
) -> int:
    """Answer a task. Returns the exit status."""
    if len(files) != 1:
        raise click.UsageError("svcomp takes one C file", click.get_current_context())
    task = svcomp.read_task(files[0], property_file, data_model)
    options = replace(options, quiet=True, no_progress=True)
    if checked is not None:
        return _print_answer(validate.validate(task, options, Path(checked)))
    given = svcomp.answer(task, options, _path(suite))
    status = _print_answer(given)  # before the witness, which may take longer than the run
    if given.result is not None:
        try:
            _report_files([svcomp.write_witness(task, given.result, _path(witness))])
        except InputError as problem:
            complain(f"unfork: no witness: {escape_text(str(problem))}")
    return status


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _report_files(files: Sequence[Path]) -> None:
    for path in files:
        complain(f"unfork: wrote {escape_text(str(path))}")


def _print_answer(given: svcomp.Answer) -> int:
    """Print the answer, its reasons on standard error; returns the exit status."""
    for reason in given.reasons:
        complain(f"unfork: {escape_text(reason)}")
    _report_files(given.files)
    say(f"{given.verdict}\n")
    if given.verdict == "unknown":
        return EXIT_UNKNOWN
    return EXIT_UNSAFE if given.verdict.startswith("false") else EXIT_SAFE
