"""unfork completions: what a shell needs to ask unfork how a word may go on."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from unfork.cli import commands
from unfork.cli.streams import say
from unfork.cli.words import Choice, Command
from unfork.report.verdict import EXIT_SAFE

_HELP = """Print what a shell needs to complete these words.

bash: for one session, source <(unfork completions bash); for all, put it into
~/.local/share/bash-completion/completions/unfork.

zsh: put it into a file _unfork in a folder of fpath.

fish: put it into ~/.config/fish/completions/unfork.fish."""
SHELLS = ("bash", "zsh", "fish")


@click.command("completions", cls=Command, help=_HELP)
@click.argument("shell", type=Choice(SHELLS))
def completions_command(shell: str) -> int:
    """Print the script of a shell. Returns the exit status."""
    made = get_completion_class(shell)
    assert made is not None
    say(made(commands.UNFORK, {}, "unfork", commands.COMPLETING).source())
    return EXIT_SAFE
