"""How the compiler is asked for the types of functions with contracts, and for the names that they have in the program.

It describes functions that it only sees declared to nobody. So their addresses are put into constants, of whose types
there is debug information; the reader takes the constants out again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

PREFIX = "__unfork_prototype_"
"""The constants are called so, with a number for each file and the function's name."""
_QUIET = '\n#pragma clang diagnostic ignored "-Weverything"\n'


@dataclass(frozen=True, slots=True)
class Asked:
    """What a file says of a function: its name there, and the reference of its constant's debug information."""

    source_name: str
    reference: str


def questions(names: Iterable[str], file: int) -> str:
    """The text to be added after that of a file, whose number is ``file``; it declares these functions."""
    lines = [f"__typeof__({name}) *const {PREFIX}{file}_{name} = &{name};\n" for name in names]
    return _QUIET + "".join(lines) if lines else ""


def asked(name: str, reference: str) -> Asked:
    """What the constant ``name`` is about."""
    return Asked(name.removeprefix(PREFIX).partition("_")[2], reference)
