"""unfork cache and unfork strategies: what is kept between runs; the named strategies and what they are good at."""

from __future__ import annotations

import click

from unfork.api import building
from unfork.cli.streams import say
from unfork.cli.words import Choice, Command
from unfork.environment import libc
from unfork.llvm import cache as kept
from unfork.option_strategies import listed
from unfork.report.verdict import EXIT_SAFE

_CACHE = """Make, remove or find the C library's bitcode and compiled code.

build: compile the C library now; the first run that needs it does so otherwise.

clear: remove all that was kept, to be made again when it is needed: the C library, what runs have compiled, and what
unfork cc has made ready for the compiler.

where: print the folder: UNFORK_CACHE, or unfork in XDG_CACHE_HOME or in ~/.cache."""


@click.command("cache", cls=Command, help=_CACHE)
@click.argument("what", type=Choice(["build", "clear", "where"]))
def cache_command(what: str) -> int:
    """Make, remove or find what is kept. Returns the exit status."""
    match what:
        case "build":
            say(f"{libc.build(building.shown_progress)}\n")
        case "clear":
            count = libc.clear()
            say(f"{count} {'entry' if count == 1 else 'entries'} removed from {kept.folder()}\n")
        case _:
            say(f"{kept.folder()}\n")
    return EXIT_SAFE


@click.command("strategies", cls=Command, help="List the named strategies and what they are good at.")
def strategies_command() -> int:
    """List the strategies. Returns the exit status."""
    say(f"{listed()}\n")
    return EXIT_SAFE
