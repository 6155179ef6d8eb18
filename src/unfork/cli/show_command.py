"""unfork show: explain a run, a test, an error, a state, or the loops of a program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from unfork.cli.streams import say
from unfork.cli.words import Exploring, files
from unfork.commands.afterwards import explain as explaining
from unfork.commands.run import show_loops as loops
from unfork.commands.run import show_states as states
from unfork.options.options import DESCRIPTIONS, Options
from unfork.program.llvm.demangle import readable
from unfork.report.record import loop_records as loops_of_run
from unfork.report.record import show
from unfork.report.record.directory import write_file
from unfork.report.record.verdict import EXIT_SAFE

_HELP = """Explain a run, a test, a bug, why a state ended.

TEST, ERROR and STATE are named tests/000001, errors/000001 and by a number; without one, the run is explained. Of a
scan, FILE:LINE explains what was found there: the test, the path, the values, and the program that shows it.

\b
unfork show RUN_DIR --why
unfork show RUN_DIR --states [FILE:LINE] [--strategy NAME]
unfork show RUN_DIR --loops
unfork show --loops FILE... [OPTIONS of unfork run]"""
_WHY = """Of a run that does not end: the branch sides and functions that it did not reach, and what stands in the way;
the lines and loops where states multiply, the queries that cost, the joins that were refused and why, and what to
try, with the numbers that speak for it."""
_STATES = """The states that come to each statement, or to those of FILE:LINE, as ({path}, [variable -> {(value |
guard), ...}]); the program is explored once more, with the options of the run, for 30 s at most (--strategy join:
joined ones)."""
_LOOPS = """Of a run, the loops that it has taken for any number of turns at once (--loops abstract): what their turns
change, what is known of it, and what a turn makes of it; and why others were run turn by turn. Of a program, C or
bitcode: the loops that unfork run takes in one step (--loops exact), and why others are run turn by turn."""
_SVG = "Draw the heap that a test gives its function, or that an error has left, into FILE."
_DOT = """Write the execution graph of the run into FILE, for Graphviz: dashed edges lead from states that were covered
to those that cover them, which show what had to be met."""


@click.command(
    "show",
    cls=Exploring,
    names=tuple(name for name in DESCRIPTIONS if name != "loops"),
    hidden=True,
    params=[files("RUN_DIR [TEST|ERROR|STATE|FILE:LINE]")],
    help=_HELP,
)
@click.option("--why", "explains", is_flag=True, help=_WHY)
@click.option("--states", "lists", is_flag=True, help=_STATES)
@click.option("--loops", "looks", is_flag=True, help=_LOOPS)
@click.option("--svg", metavar="FILE", type=click.Path(path_type=Path), help=_SVG)
@click.option("--dot", metavar="FILE", type=click.Path(path_type=Path), help=_DOT)
def show_command(
    files: tuple[str, ...],
    options: Options,
    explains: bool,
    lists: bool,
    looks: bool,
    svg: Path | None,
    dot: Path | None,
) -> int:
    """Explain a run. Returns the exit status."""
    if looks and not (len(files) == 1 and Path(files[0]).is_dir()):
        say(_text(loops.loops([*files], options)))
        return EXIT_SAFE
    if unused := options.given.difference({"strategy"} if lists else ()):
        raise _usage_error(f"show takes --{min(unused).replace('_', '-')} only with --loops FILE")
    if len(files) not in ((1, 2) if not (explains or looks) else (1,)):
        raise _usage_error("show takes a run directory and at most one test, error, state or FILE:LINE of a scan")
    root, what = Path(files[0]), files[1] if len(files) == 2 else None
    if svg is not None:
        write_file(svg, show.drawing(root, what).encode("utf-8", "backslashreplace"))
    elif dot is not None:
        write_file(dot, show.graph(root).encode("utf-8", "backslashreplace"))
    elif explains:
        say(_text(explaining.explain(root)))
    elif looks:
        say(_text(loops_of_run.read_loops(root)))
    elif lists:
        say(_text(states.states(root, what, ",".join(options.strategy) if options.given else None)))
    else:
        say(_text(show.show(root, what)))
    return EXIT_SAFE


def _text(lines: Sequence[str]) -> str:
    return readable("".join(f"{line}\n" for line in lines))


def _usage_error(reason: str) -> click.UsageError:
    return click.UsageError(reason, click.get_current_context())
