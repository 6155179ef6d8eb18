"""Functions that tests scan in process."""

from __future__ import annotations

from pathlib import Path

from unfork.api.building import build_for_run, given
from unfork.api.function_scan import scan_function
from unfork.options import Options
from unfork.scan.results import Found
from unfork.wiring import scanning


def found_in(text: str, function: str, folder: Path) -> tuple[Found, ...]:
    """What a scan finds in a function of a C program; no native run is asked."""
    folder.mkdir()
    file = folder / "program.c"
    file.write_text(text)
    options = scanning.with_flags(scanning.preset(Options(native_check="never", max_time=60.0)), ())
    asked = given([str(file)])
    return scan_function(build_for_run(options, asked), asked.names, options, function, folder / "out").found
