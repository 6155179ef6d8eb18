"""unfork report: a run, or proofs, as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.clang.escape import shown
from unfork.cli.streams import complain, say
from unfork.cli.words import names_of, value_of
from unfork.errors import InputError
from unfork.later import Later
from unfork.report.directory import write_file
from unfork.report.verdict import EXIT_SAFE

if TYPE_CHECKING:
    import webbrowser

    from unfork.api import page
else:
    page = Later("unfork.api.page")
    webbrowser = Later("webbrowser")

_REPORT_USAGE = """\
usage: unfork report RUN_DIR [-o FILE] [--open]

  Writes the run as one HTML page: the source with what was covered and where states forked, met and failed; each
  error and test as a path, with values; the execution graph. Of proofs (unfork verify): the obligations on the source,
  how each ended, and what breaks a contract. The page needs no network. Sources are read as they are now; it says if
  they have changed since the run.

  -o FILE
      write the page into FILE, not into report.html in RUN_DIR
  --open
      show it in the browser
"""
_NAME = "report.html"


def report_command(words: Sequence[str]) -> int:
    """Write the page of a run. Returns the exit status."""
    if "--help" in words or "-h" in words:
        say(_REPORT_USAGE)
        return EXIT_SAFE
    rest, place = value_of("-o", list(words))
    names = names_of(rest, ("--open",), ("-o",))
    if len(names) != 1:
        raise InputError("report takes one run directory; see unfork report --help")
    root = Path(names[0])
    target = root / _NAME if place is None else Path(place)
    write_file(target, page.page(root))
    say(f"{shown(str(target))}\n")
    if "--open" in rest and not webbrowser.open(target.resolve().as_uri()):
        complain("unfork: no browser can be opened here")
    return EXIT_SAFE
