"""The standards of C and C++ that --std may name: those of the bundled clang."""

from __future__ import annotations

from unfork.options.kinds import none_of

_YEARS = dict.fromkeys(("c", "gnu"), "89 90 9x 99 1x 11 17 18 2x 23 2y")
_YEARS |= dict.fromkeys(("c++", "gnu++"), "98 03 0x 11 1y 14 1z 17 2a 20 2b 23 2c 26")
STANDARDS = tuple([f"{name}{year}" for name, years in _YEARS.items() for year in years.split()])


def standard(name: str) -> None:
    """Raise ValueError for a name that is no standard."""
    if name not in STANDARDS:
        raise none_of(name, STANDARDS)
