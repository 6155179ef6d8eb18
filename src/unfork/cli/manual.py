"""The manual page unfork(1), made from what the help of each command says."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from unfork.cli.commands import all_pages
from unfork.cli.pages import Page
from unfork.options import VERSION

_ESCAPES = str.maketrans({"\\": "\\e", "-": "\\-", "'": "\\(aq", "^": "\\(ha", "~": "\\(ti"})
_BREAKS = str.maketrans({"|": "|\\:", ",": ",\\:"})
"""Where a long choice of words may go on in the next line."""
_BEGIN = f"""\
.\\" Made by: python -m unfork.cli.manual
.TH UNFORK 1 "" "unfork {VERSION}" "User Commands"
.ad l
.nh
.SH NAME
unfork \\- symbolic execution of C that merges states, prunes them, and replays every bug that it reports
.SH SYNOPSIS
"""
_DESCRIPTION = """\
.SH DESCRIPTION
.B unfork
runs a C program on all inputs at once.
Where a branch depends on the input it forks, and a solver tells which sides are possible.
It reports bugs, each with an input that triggers it and only after that input has been run again; it writes few tests
that reach high branch coverage; and it ends with a verdict.
.PP
An option takes the next word as its value, whatever that begins with; \\-\\-option=value means the same.
"""
_END = """\
.SH EXIT STATUS
.TP
.B 0
safe: everything was explored and nothing fails; or bounded: the same within the bounds that were given
.TP
.B 1
unsafe: at least one error, replayed
.TP
.B 2
unusable input or options
.TP
.B 3
unknown: something was given up
.TP
.B 130
interrupted; results are kept
.SH FILES
.TP
.I unfork\\-out\\-N
the run directory: summary.json, tests, error reports, the linked bitcode, and run.db; the last one is
.I unfork\\-last
.SH ENVIRONMENT
.TP
.B UNFORK_CACHE
the folder of what is kept between runs; otherwise unfork in XDG_CACHE_HOME or in ~/.cache
.SH SEE ALSO
.BR klee (1),
.BR cbmc (1),
.BR clang (1)
"""


def manual(pages: Sequence[Page]) -> str:
    """The page in roff."""
    lines: list[str] = []
    for number, page in enumerate(pages):
        lines += [".br"] * bool(number) + [f".B {escaped(page.synopses[0])}"]
    lines += [_DESCRIPTION.rstrip("\n"), ".SH COMMANDS"]
    for page in pages:
        lines += [f".SS unfork {escaped(page.name)}", f"{escaped(page.purpose)}."]
        lines += [line for synopsis in page.synopses for line in (".PP", f".B {escaped(synopsis)}")]
        lines += _parts(page)
    return _BEGIN + "\n".join(lines) + "\n" + _END


def _parts(page: Page) -> list[str]:
    lines: list[str] = []
    section = ""
    for part in page.parts:
        if isinstance(part, str):
            lines += [".PP", escaped(part)]
            continue
        if part.section != section:
            section = part.section
            lines += [".PP", f".I {escaped(section)}"]
        lines += [".TP", f".B {escaped(part.head).translate(_BREAKS)}", escaped(part.meaning)]
    return lines


def escaped(text: str) -> str:
    """Text as roff shows it as it is."""
    safe = text.translate(_ESCAPES)
    return f"\\&{safe}" if safe.startswith((".", "\\(aq")) else safe


if __name__ == "__main__":
    sys.stdout.write(manual(all_pages()))
