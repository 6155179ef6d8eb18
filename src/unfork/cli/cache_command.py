"""unfork cache, strategies and completions."""

from __future__ import annotations

import click
from click import shell_completion

from unfork.cli import commands
from unfork.cli.streams import say
from unfork.cli.words import UnforkCommand, WordChoice
from unfork.commands.assemble import building
from unfork.errors import InputError
from unfork.options.strategies import strategies_text
from unfork.program.llvm import compilation_cache as kept
from unfork.report.record.text import plural
from unfork.report.record.verdict import EXIT_SAFE
from unfork.world.libc import kept_parts as contents

_CACHE = """Make, remove or find the libraries' bitcode and compiled code.

build: compile now what is compiled once: the C library for the engine, and that for native programs (unfork cc, native
replays); with --cpp the C++ library for both, and frameworks of tests that are installed. Otherwise the first command
that needs one does so.

list: what of this is there, and how large it is.

clear: remove all that was kept, to be made again when it is needed: the C library, what runs have compiled, what came
of functions in scans, and what unfork cc has made ready for the compiler.

where: print the folder: UNFORK_CACHE, or unfork in XDG_CACHE_HOME or in ~/.cache."""
_COMPLETIONS = """Print what a shell needs to complete these words.

bash: for one session, source <(unfork completions bash); for all, put it into
~/.local/share/bash-completion/completions/unfork.

zsh: put it into a file _unfork in a folder of fpath.

fish: put it into ~/.config/fish/completions/unfork.fish."""
SHELLS = ("bash", "zsh", "fish")


@click.command("cache", cls=UnforkCommand, help=_CACHE)
@click.argument("what", type=WordChoice(["build", "list", "clear", "where"]))
@click.option("--cpp", is_flag=True, help="build: what C++ needs as well (four minutes of a processor)")
def cache_command(what: str, cpp: bool) -> int:
    """Make, list, remove or find what is kept between runs. Returns the exit status."""
    if cpp and what != "build":
        raise InputError("--cpp goes with build")
    match what:
        case "build":
            for part in contents.parts(is_cpp=cpp):
                say(f"{part.build(building.shown_progress)}\n")
        case "list":
            for part in contents.parts(is_cpp=True):
                size = part.size()
                say(f"{part.name}: {'not built' if size is None else f'{size / 1e6:.1f} MB'}\n")
            count, size = contents.entries()
            say(f"{plural(count, 'entry')} of runs and scans: {size / 1e6:.1f} MB\n{kept.folder()}\n")
        case "clear":
            count = contents.clear()
            say(f"{plural(count, 'entry')} removed from {kept.folder()}\n")
        case _:
            say(f"{kept.folder()}\n")
    return EXIT_SAFE


@click.command("strategies", cls=UnforkCommand, help="List the named strategies and what they are good at.")
def strategies_command() -> int:
    """List the strategies. Returns the exit status."""
    say(f"{strategies_text()}\n")
    return EXIT_SAFE


@click.command("completions", cls=UnforkCommand, help=_COMPLETIONS)
@click.argument("shell", type=WordChoice(SHELLS))
def completions_command(shell: str) -> int:
    """Print the script of a shell. Returns the exit status."""
    completion = shell_completion.get_completion_class(shell)
    assert completion is not None
    say(completion(commands.UNFORK, {}, "unfork", commands.COMPLETING).source())
    return EXIT_SAFE
