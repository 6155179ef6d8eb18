"""unfork show: explain a run, a test, an error, a state, or the loops of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.cli.streams import say
from unfork.cli.words import names_of, parse, value_of
from unfork.errors import InputError
from unfork.later import Later
from unfork.report.directory import write_file
from unfork.report.verdict import EXIT_SAFE

if TYPE_CHECKING:
    from unfork.api import loops, states
    from unfork.report import graph, show, why, why_text
    from unfork.report import loops as kept
else:
    loops = Later("unfork.api.loops")
    states = Later("unfork.api.states")
    graph = Later("unfork.report.graph")
    kept = Later("unfork.report.loops")
    show = Later("unfork.report.show")
    why = Later("unfork.report.why")
    why_text = Later("unfork.report.why_text")

_SHOW_USAGE = """\
usage: unfork show RUN_DIR [TEST | ERROR | STATE] [--svg FILE] [--dot FILE]
       unfork show --why RUN_DIR
       unfork show RUN_DIR --states [FILE:LINE] [--strategy NAME]
       unfork show --loops RUN_DIR
       unfork show --loops FILE... [OPTIONS of unfork run]

  TEST, ERROR and STATE are named tests/000001, errors/000001 and by a number; without one, the run is explained.
  --why RUN_DIR
      why a run does not end: the lines and loops where states multiply, the queries that cost, the joins that were
      refused and why, and what to try, with the numbers that speak for it
  --states [FILE:LINE]
      the states that come to each statement, or to those of a line, as ({path}, [variable -> {(value | guard), ...}]);
      the program is explored once more, with the options of the run, for 30 s at most (--strategy join: joined ones)
  --svg FILE
      draw the heap that a test gives its function, or that an error has left, into FILE
  --dot FILE
      write the execution graph of the run into FILE, for Graphviz: dashed edges lead from states that were covered to
      those that cover them, which show what had to be met
  --loops RUN_DIR
      the loops that a run has taken for any number of turns at once (--loops abstract): what their turns change, what
      is known of it, and what a turn makes of it; and why others were run turn by turn
  --loops FILE...
      the loops of a program, C or bitcode: those that unfork run takes in one step (--loops exact), and why others are
      run turn by turn
"""


def show_command(words: Sequence[str]) -> int:
    """Explain a run. Returns the exit status."""
    if "--help" in words or "-h" in words:
        say(_SHOW_USAGE)
        return EXIT_SAFE
    for flag, explained in _EXPLAINED.items():
        if flag in words:
            say("".join(f"{line}\n" for line in explained(words)))
            return EXIT_SAFE
    words, picture = value_of("--svg", list(words))
    words, place = value_of("--dot", words)
    names = names_of(words, (), ("--svg", "--dot"))
    if len(names) not in (1, 2):
        raise InputError("show takes a run directory and at most one test, error or state; see unfork show --help")
    what = names[1] if len(names) == 2 else None
    if picture is not None:
        write_file(Path(picture), _drawn(names[0], what))
        return EXIT_SAFE
    if place is not None:
        data = graph.graph(Path(names[0])).encode("utf-8", "backslashreplace")
        write_file(Path(place), data)
        return EXIT_SAFE
    say("\n".join(show.show(Path(names[0]), what)) + "\n")
    return EXIT_SAFE


def _loops(words: Sequence[str]) -> Sequence[str]:
    at = words.index("--loops")
    if len(words) == 2 and Path(words[1 - at]).is_dir():
        return kept.kept_loops(Path(words[1 - at]))
    files, options, _, _ = parse([*words[:at], *words[at + 1 :]])
    return loops.loops(files, options)


def _why(words: Sequence[str]) -> Sequence[str]:
    names = names_of(words, ("--why",), ())
    if len(names) != 1:
        raise InputError("show --why takes one run directory; see unfork show --help")
    return why_text.why_lines(why.why(Path(names[0])))


def _states(words: Sequence[str]) -> Sequence[str]:
    rest, strategy = value_of("--strategy", list(words))
    at = rest.index("--states")
    follows = rest[at + 1 : at + 2]
    is_place = bool(follows) and not follows[0].startswith("-") and (at > 0 or len(rest) > at + 2)
    names = names_of(rest[:at] + rest[at + 1 + is_place :], (), ("--strategy",))
    if len(names) != 1:
        raise InputError("show --states takes one run directory and at most one FILE:LINE; see unfork show --help")
    return states.states(Path(names[0]), follows[0] if is_place else None, strategy)


_EXPLAINED: Mapping[str, Callable[[Sequence[str]], Sequence[str]]] = {
    "--loops": _loops,
    "--why": _why,
    "--states": _states,
}
"""What each of these flags makes of the words of the command: lines."""


def _drawn(run: str, what: str | None) -> bytes:
    return show.drawing(Path(run), what).encode("utf-8", "backslashreplace")
