"""unfork reach: whether a public function comes to a line, or fails there."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from unfork.cli.scan_command import ALLOWED, shown
from unfork.cli.words import SOUNDNESS, Exploring, files, per_function
from unfork.commands.scan import claims, reach
from unfork.errors import InputError
from unfork.options.error_kinds import ERROR_KINDS
from unfork.options.options import Options
from unfork.report.record.answers import answer_lines

_PER_FUNCTION = 60.0
_REACH = f"""Say whether a public function of a project comes to a line, or fails there.

unfork reach FILE:LINE [PATH...] looks for an input with which code at that line runs; with --kind, for one with which
it fails like that. The answer is a C program; or that it is not reachable within the bounds that are listed; or that a
precondition of callers decides; or undecided. PATH is as for scan; without one, it is the folder.

unfork reach --sarif FILE [PATH...] answers each result of another tool.

{SOUNDNESS}"""


@click.command(
    "reach",
    cls=Exploring,
    names=ALLOWED,
    refusal="reach: {} has no meaning here",
    params=[files("FILE:LINE PATH...")],
    help=_REACH,
)
@click.option(
    "--kind",
    metavar="KIND",
    type=click.Choice(["any", *ERROR_KINDS]),
    help="The kind of error to look for, or any; without it, whether the line is reached.",
)
@click.option("--sarif", metavar="FILE", help="Answer each result of another tool in this SARIF file.")
@per_function(_PER_FUNCTION)
def reach_command(
    files: tuple[str, ...], options: Options, kind: str | None, sarif: str | None, per_function: float
) -> int:
    """Answer claims. Returns the exit status."""
    if sarif is None:
        if not files:
            raise InputError("reach: no FILE:LINE")
        asked = [reach.plain(*_place(files[0]), kind)]
        files = files[1:]
    elif kind is not None:
        raise InputError("reach: --kind has no meaning with --sarif, which says the kinds")
    else:
        asked = claims.claims_of(Path(sarif))
        if not asked:
            raise InputError(f"--sarif {sarif}: no result with a line")
    request = reach.ReachRequest(files or (".",), tuple(asked), per_function)
    return shown(options, partial(reach.reach, request, options), answer_lines)


def _place(words: str) -> tuple[str, int]:
    """A file and a line."""
    file, _, line = words.rpartition(":")
    if not file or not line.isdecimal():
        raise InputError(f"reach: {words} is no FILE:LINE")
    return file, int(line)
