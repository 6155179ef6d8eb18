"""unfork scan: finds what is certainly wrong in a project, without a harness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from unfork.cli.streams import complain, say
from unfork.cli.words import SOUNDNESS, Exploring, files, per_function
from unfork.commands.run import watching
from unfork.commands.scan import scan, scan_jobs
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.c.escape import escape_text
from unfork.report.record.directory import write_file
from unfork.report.record.scans import scan_lines

ALLOWED = (
    *("sym_arg", "sym_args", "sym_stdin", "sym_files"),
    *("check", "fail", "max_time", "max_memory", "max_size", "loop_turns", "cores", "seed", "solver", "solver_timeout"),
    *("cc", "cflags", "std", "include", "define", "libc", "native_check", "data_model", "fuzzer"),
    *("out", "json", "formats", "quiet", "no_progress"),
)
"""The options of scans."""
_PER_FUNCTION = 60.0
_SCAN = f"""Find what is certainly wrong in a project, with no harness.

PATH is a C file, bitcode, a folder, or a compile_commands.json. Each function runs on any arguments and any heap; main
runs as the whole program, with symbolic arguments, standard input and a file. What
fails whatever the caller does is certain; what needs something of the caller that the code never tests is a
precondition, and is listed with the function. Each certain finding has a C program that fails by itself.

{SOUNDNESS}"""


@click.command(
    "scan",
    cls=Exploring,
    names=ALLOWED,
    refusal="scan: {} has no meaning here",
    params=[files("PATH...")],
    help=_SCAN,
)
@click.option(
    "--functions",
    "--function",
    metavar="GLOB",
    multiple=True,
    default=("*",),
    help="Scan functions with names like this; several for all of them (default *).",
)
@per_function(_PER_FUNCTION)
@click.option(
    "--baseline",
    metavar="FILE",
    help="The scan.json of an earlier scan: only what it lacks makes the exit status 1.",
)
@click.option(
    "--changed", metavar="SINCE", help="Scan functions whose code, or what they call, is not that of a git revision."
)
@click.option("--no-cache", is_flag=True, help="Explore again what earlier scans have explored.")
@click.option(
    "--in", "within", metavar="FILE", multiple=True, help="Scan functions of FILE alone; link it with the rest of PATH."
)
def scan_command(
    files: tuple[str, ...],
    options: Options,
    functions: tuple[str, ...],
    per_function: float,
    baseline: str | None,
    changed: str | None,
    no_cache: bool,
    within: tuple[str, ...],
) -> int:
    """Scan a project. Returns the exit status."""
    if not files:
        raise InputError("scan: no PATH")
    wanted = scan_jobs.ScanRequest(files, functions, per_function, baseline, changed, no_cache, within)
    return shown(options, partial(scan.scan, wanted, options))


def shown(
    options: Options,
    begin: Callable[[Callable[[str], None]], scan.Scanned],
    lines_of: Callable[[Mapping[str, Any], str], list[str]] = scan_lines,
) -> int:
    """Show the progress and the result of a scan, as ``lines_of`` says it. Returns the exit status."""
    with watching.line(options) as show:
        found = begin(show)
    for line in found.data["comments"]["without_effect"]:
        complain(f"unfork: {escape_text(line)}")
    text = "\n".join(lines_of(found.data, str(found.directory)))
    if options.json == "-":
        complain(text)
        say((found.directory / "scan.json").read_bytes())
    elif not options.quiet:
        say(f"{text}\n")
    if options.json not in (None, "-"):
        write_file(Path(options.json), (found.directory / "scan.json").read_bytes())
    return found.exit_status
