"""Headers of the system's libraries: searched after musl's, which the bundled compiler tries alone at first.

A header that musl has is always musl's. Some headers of the system's own C library do not compile after musl's; then
the compiler's first error stays, with an explanation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from unfork.program.c.system_folders import FOLDERS

_WORDS = Path(__file__).parents[2] / "include/glibc/sys/cdefs.h"
"""Attributes and more, by their names in glibc's headers."""
_MISSING = re.compile(r"^.*:\d+:\d+: fatal error: '([^'\n]+)' file not found$", re.M)
_ERROR = re.compile(r"^(/[^:\n]*):\d+:\d+: (?:fatal )?error: .*$", re.M)
_OF_WARNING = re.compile(r"^.*: error: .* \[(?:-Werror,)?-W([\w+-]+)\]$", re.M)
_REMOVED = re.compile(r"undeclared function 'gets'")


def missing(complaint: str) -> str | None:
    """The header that the compiler does not find."""
    found = _MISSING.search(complaint)
    return None if found is None else found[1]


def is_there(header: str) -> bool:
    """Whether the system's compilers would find it."""
    return any(os.path.isfile(os.path.join(folder, header)) for folder in FOLDERS)


def searched() -> list[str]:
    """The flags that make the compiler search there last, and know the words of glibc's headers."""
    folders = [word for folder in FOLDERS if os.path.isdir(folder) for word in ("-idirafter", folder)]
    return ["-include", str(_WORDS), *folders]


def clash(complaint: str, bundled: str) -> str | None:
    """The first error within a header of the system, or of the ``bundled`` folder; None if all errors are elsewhere."""
    errors = _ERROR.finditer(complaint)
    return next((error[0] for error in errors if is_installed(error[1]) or error[1].startswith(bundled)), None)


def is_installed(path: str) -> bool:
    """Whether a file is a header of the system."""
    return path.startswith(tuple([f"{folder}/" for folder in FOLDERS]))


def taken(file: str, first: str, read: Iterable[str]) -> str:
    """The note on a file whose header ``first`` is the system's, with others among those that were ``read``."""
    others = len([path for path in read if is_installed(path) and not path.endswith(f"/{first}")])
    more = f" and {others} more header{'s' * (others > 1)}" if others else ""
    folder = next((each for each in FOLDERS if os.path.isfile(os.path.join(each, first))), FOLDERS[-1])
    return f"{file}: takes {first}{more} from {folder}, since the bundled C library has no such header"


def advice(complaint: str, clashing: str | None) -> list[str]:
    """Further advice on a file that the compiler rejects, a line each; ``clashing`` is an error within a header of
    the system, because of which that header was not used.
    """
    return [*_of_header(missing(complaint), clashing), *_of_warnings(complaint)]


def _of_header(header: str | None, clashing: str | None) -> Iterator[str]:
    if header is None:
        return
    if clashing is not None:
        yield f"{header} of the system does not compile after the headers of the bundled C library, musl: {clashing}"
        return
    nearby = [folder for folder in _subfolders() if os.path.isfile(os.path.join(folder, header))]
    if nearby:
        yield f"{header} is in {nearby[0]}: add -I {nearby[0]}"
    else:
        places = ", ".join(folder for folder in FOLDERS if os.path.isdir(folder)) or "folders of the system"
        last = '--cflags "-idirafter DIR", which searches DIR last, as --cflags "-idirafter /usr/include" does'
        yield f"{header} is neither in the bundled C library, musl, nor in {places}: add -I DIR, or {last}"


def _subfolders() -> Iterator[str]:
    for folder in FOLDERS:
        if os.path.isdir(folder):
            yield from sorted(entry.path for entry in os.scandir(folder) if entry.is_dir())


def _of_warnings(complaint: str) -> Iterator[str]:
    """The flags that turn the errors into warnings, if all of them can be."""
    names = dict.fromkeys(_OF_WARNING.findall(complaint))
    if names:
        flags = " ".join(f"-Wno-error={name}" for name in names)
        yield f'the errors that end in [-W...] become warnings, as they are for gcc before 14, with --cflags "{flags}"'
    if _REMOVED.search(complaint):
        yield "gets is no function since C11: --std gnu99 declares it"
