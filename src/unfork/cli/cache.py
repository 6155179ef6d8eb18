"""unfork cache: the C library's bitcode and compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unfork.cli.streams import say
from unfork.errors import InputError
from unfork.later import Later
from unfork.option_kinds import near
from unfork.report.verdict import EXIT_SAFE

if TYPE_CHECKING:
    from unfork.api import libc_progress
else:
    libc_progress = Later("unfork.api.libc_progress")

_CACHE_USAGE = """\
usage: unfork cache build | clear | where

  build
      compile the C library now; the first run that needs it does so otherwise
  clear
      remove all that was kept, to be made again when it is needed: the C library, what runs have compiled, and what
      unfork cc has made ready for the compiler
  where
      print the folder: UNFORK_CACHE, or unfork in XDG_CACHE_HOME or in ~/.cache
"""


def cache_command(words: Sequence[str]) -> int:
    """Make, remove or find what is kept. Returns the exit status."""
    if "--help" in words or "-h" in words:
        say(_CACHE_USAGE)
        return EXIT_SAFE
    match list(words):
        case ["build"]:
            say(f"{libc_progress.build(libc_progress.shown_progress)}\n")
        case ["clear"]:
            count = libc_progress.clear()
            say(f"{count} {'entry' if count == 1 else 'entries'} removed from {libc_progress.where()}\n")
        case ["where"]:
            say(f"{libc_progress.where()}\n")
        case _:
            meant = near(words[0], ("build", "clear", "where")) if words else ""
            raise InputError(f"cache takes one of build, clear, where{meant}; see unfork cache --help")
    return EXIT_SAFE
