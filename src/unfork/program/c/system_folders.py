"""The folders of headers that the system's compilers search by default; the C library here is another."""

import os
from collections.abc import Sequence

FOLDERS = ("/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include")
"""In the order of the search."""
_OPTIONS = ("-I", "-isystem")


def without(flags: Sequence[str]) -> tuple[list[str], list[str]]:
    """The flags without -I and -isystem of these folders, and the folders: gcc ignores such flags, and the headers
    of our C library must come before the system's.
    """
    kept: list[str] = []
    asked: list[str] = []
    rest = iter(flags)
    for flag in rest:
        option = next((each for each in _OPTIONS if flag.startswith(each)), None)
        value = None if option is None else flag.removeprefix(option) or next(rest, None)
        if value is not None and os.path.normpath(value) in FOLDERS:
            asked.append(os.path.normpath(value))
        else:
            kept += [flag] if option != flag or value is None else [flag, value]
    return kept, asked
