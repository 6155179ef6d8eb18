"""unfork run, resume and verify: explore a program, go on with a run, prove contracts; and print the result."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from unfork.cli.scan_command import shown
from unfork.cli.streams import complain, plea, say
from unfork.cli.words import SOUNDNESS, Exploring, files, per_function
from unfork.commands.run import resume, run, watching
from unfork.commands.scan import scan
from unfork.commands.verify import verify
from unfork.errors import InputError
from unfork.failures import CRASH
from unfork.options.options import CHANGEABLE, DESCRIPTIONS, SHOWING, Options
from unfork.program.c.escape import escape_text
from unfork.report.formats import gcc
from unfork.report.record import summary
from unfork.report.record.directory import WriteFailed, write_file
from unfork.report.record.text import final_lines, proof_lines
from unfork.report.record.verdict import EXIT_UNKNOWN

_VERIFYING = (
    *("check", "merge", "similar", "join", "predicate", "qce", "search", "loops", "max_time", "max_memory"),
    *("cores", "solver", "solver_timeout", "audit", "cflags", "std", "include", "define", "libc", "optimize"),
    *("out", "json", "quiet", "no_progress", "formats"),
)
"""The options of proofs."""
_RUN = f"""Explore; find bugs; write tests.

FILE is C (.c, preprocessed .i) or LLVM IR (.bc, .ll), or - for C on standard input; ARGs are the program's.

{SOUNDNESS}"""
_FUZZ = f"""Fuzz a target, natively and symbolically, on one corpus.

FILE is C or C++ or LLVM IR with LLVMFuzzerTestOneInput, or with a main: it uses AFL++'s macros, finds @@, the path of
the input, among its ARGs, or reads standard input. As unfork run with --fuzzer auto; new inputs go to the first
--corpus folder, or to --corpus-out, or to RUN_DIR/corpus. Ends at --max-time or Ctrl-C.

{SOUNDNESS}"""
_RESUME = """Go on with a run that a limit, Ctrl-C or a crash ended.

It goes on in its directory. Limits of time count anew; all other options stay as they were."""
_PER_FUNCTION = 300.0
_VERIFY = f"""Prove contracts for all inputs.

PATH is a C file, a folder, or a compile_commands.json. Proves that the functions with a contract keep it: ACSL
comments, __CPROVER_ clauses, or UNFORK_ macros (docs/verify.md). Of the options of unfork run, those below have a
meaning in proofs.

{SOUNDNESS}"""
_kept: list[run.Result] = []
"""The last run, kept so that its states are not freed one by one just before the process ends."""


@click.command(
    "run",
    cls=Exploring,
    names=tuple(DESCRIPTIONS),
    params=[files("FILE... [-- ARG...]")],
    takes_arguments=True,
    help=_RUN,
)
def run_command(files: tuple[str, ...], options: Options, arguments: list[str]) -> int:
    """Explore a program. Returns the exit status."""
    if not files:
        raise InputError("run: no input file")
    _check_summary_file(options.json)
    return _print_run(run.run([*files], options, arguments), options)


@click.command(
    "fuzz",
    cls=Exploring,
    names=tuple(DESCRIPTIONS),
    params=[files("FILE... [-- ARG...]")],
    takes_arguments=True,
    help=_FUZZ,
)
def fuzz_command(files: tuple[str, ...], options: Options, arguments: list[str]) -> int:
    """Fuzz a target natively and symbolically. Returns the exit status."""
    if not files:
        raise InputError("fuzz: no input file")
    _check_summary_file(options.json)
    return _print_run(run.fuzz([*files], options, arguments), options)


@click.command(
    "resume",
    cls=Exploring,
    names=(*CHANGEABLE, *SHOWING),
    refusal="resume: {} stays as it was",
    params=[files("RUN_DIR")],
    help=_RESUME,
)
def resume_command(files: tuple[str, ...], options: Options) -> int:
    """Go on with a run. Returns the exit status."""
    if len(files) != 1:
        raise click.UsageError("resume takes one run directory", click.get_current_context())
    _check_summary_file(options.json)
    changed = {name: getattr(options, name) for name in options.given}
    if scan.is_scan(Path(files[0])):
        return shown(options, partial(scan.resume, Path(files[0]), changed))
    return _print_run(resume.resume(Path(files[0]), changed), options)


@click.command(
    "verify",
    cls=Exploring,
    names=_VERIFYING,
    refusal="verify: {} has no meaning in proofs",
    params=[files("PATH...")],
    help=_VERIFY,
)
@click.option(
    "--function",
    metavar="GLOB",
    multiple=True,
    help="Prove functions with names like this; several, or with commas between, for all of them (default *).",
)
@per_function(_PER_FUNCTION)
@click.option("--no-cache", is_flag=True, help="Prove again what has been proved before.")
def verify_command(
    files: tuple[str, ...], options: Options, function: tuple[str, ...], per_function: float, no_cache: bool
) -> int:
    """Prove contracts. Returns the exit status."""
    if not files:
        raise InputError("verify: no input file")
    _check_summary_file(options.json)
    if function:
        options = replace(options, function=",".join(function), given=options.given | {"function"})
    with watching.line(options) as show:
        verified = verify.verify([*files], options, show, per_function=per_function, is_fresh=no_cache)
    errors = gcc.lines(verified.summary) if "gcc" in options.formats else ()
    _print_result([*errors, *proof_lines(verified.summary, str(verified.directory))], verified, options)
    return verified.exit_status


def _print_run(result: run.Result, options: Options) -> int:
    """Print the result of a run. Returns the exit status."""
    _kept[:] = [result]
    lines = final_lines(result.summary, str(result.directory))
    if "gcc" in result.summary["options"]["formats"]:
        lines = [*gcc.lines(result.summary), *lines]
    if options.verbose:
        lines += _warnings(result.directory).splitlines()
    try:
        _print_result(lines, result, options)
    except WriteFailed as failed:
        complain(f"unfork: {escape_text(str(failed))}")
        return result.exit_status or EXIT_UNKNOWN
    if result.trouble is not None:
        complain(f"unfork: {escape_text(result.trouble)}")
    if result.failure is not None:
        complain(plea(result.failure, str(result.directory / CRASH)))
    return result.exit_status


def _print_result(lines: Sequence[str], result: run.Result | verify.Verified, options: Options) -> None:
    """Print the final lines, and write the summary where --json says. Only one of them goes to standard output.

    Raises WriteFailed.
    """
    text = "\n".join(lines)
    if not options.quiet and options.json == "-":
        complain(text)
    elif not options.quiet:
        say(f"{text}\n")
    if options.json == "-":
        say(summary.as_json(result.summary))
    elif options.json is not None:
        write_file(Path(options.json), summary.as_json(result.summary).encode())


def _check_summary_file(name: str | None) -> None:
    """Check before the run that the file of --json can be written. Raises InputError."""
    if name is None or name == "-":
        return
    path = Path(name)
    can_be_made = path.parent.is_dir() and os.access(path.parent, os.W_OK)
    if not path.name or path.is_dir() or not (can_be_made or (path.exists() and not path.is_file())):
        raise InputError(f"--json {name}: cannot be written")


def _warnings(directory: Path) -> str:
    try:
        return (directory / "warnings.txt").read_text("utf-8")
    except OSError:
        return ""
