"""Functions that tests scan in process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from unfork.commands.assemble.building import build_for_run, given
from unfork.commands.scan import scanning
from unfork.commands.scan.function_scan import scan_function
from unfork.commands.scan.results import Explored, ScanFinding
from unfork.options.options import Options


def found_in(text: str, function: str, folder: Path, **changes: object) -> tuple[ScanFinding, ...]:
    """What a scan finds in a function of a C program; no native run is asked. ``changes`` are options."""
    return explored_in(text, function, folder, **changes).found


def explored_in(
    text: str,
    function: str,
    folder: Path,
    tell: Callable[[Explored], None] = lambda explored: None,
    **changes: object,
) -> Explored:
    """The result of a scan of a function of a C program; no native run is asked. ``tell`` gets what is known before."""
    folder.mkdir()
    file = folder / "program.c"
    file.write_text(text)
    chosen = replace(Options(native_check="never", max_time=60.0), **changes, given=frozenset(changes))  # type: ignore[arg-type]
    options = scanning.with_flags(scanning.preset(chosen), ())
    asked = given([str(file)])
    return scan_function(build_for_run(options, asked), asked.names, options, function, folder / "out", tell)
