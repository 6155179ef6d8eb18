"""unfork strategies: the named strategies and what they are good at."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.cli.streams import say
from unfork.cli.words import names_of
from unfork.option_strategies import listed
from unfork.report.verdict import EXIT_SAFE


def strategies_command(words: Sequence[str]) -> int:
    """List the strategies. Returns the exit status."""
    names_of(words, ("--help", "-h"), ())
    say(f"{listed()}\n")
    return EXIT_SAFE
