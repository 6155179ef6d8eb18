"""unfork report: a run, or proofs, as one HTML page."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from unfork.api import page
from unfork.clang.escape import shown
from unfork.cli.streams import complain, say
from unfork.cli.words import Command
from unfork.report.directory import write_file
from unfork.report.verdict import EXIT_SAFE

_HELP = """Write a run as one HTML page.

It has the source with what was covered and where states forked, met and failed; each error and test as a path, with
values; the execution graph. Of proofs (unfork verify): the obligations on the source, how each ended, and what breaks
a contract. The page needs no network. Sources are read as they are now; it says if they have changed since the run."""
_NAME = "report.html"


@click.command("report", cls=Command, help=_HELP)
@click.argument("root", metavar="RUN_DIR", type=click.Path(path_type=Path))
@click.option(
    "-o", "place", metavar="FILE", type=click.Path(path_type=Path), help=f"Write there, not into {_NAME} in RUN_DIR."
)
@click.option("--open", "opens", is_flag=True, help="Show it in the browser.")
def report_command(root: Path, place: Path | None, opens: bool) -> int:
    """Write the page of a run. Returns the exit status."""
    target = root / _NAME if place is None else place
    write_file(target, page.page(root))
    say(f"{shown(str(target))}\n")
    if opens and not webbrowser.open(target.resolve().as_uri()):
        complain("unfork: no browser can be opened here")
    return EXIT_SAFE
