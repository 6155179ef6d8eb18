"""What exists when the program starts: standard input, files, and how many system calls may fail."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuestFile:
    """A file of ``size`` bytes: ``data``, or symbolic bytes that are named after the file where ``data`` is None."""

    name: bytes
    size: int
    data: bytes | None


@dataclass(frozen=True, slots=True)
class World:
    """``stdin`` None is an empty standard input; up to ``failures`` system calls may fail."""

    stdin: GuestFile | None = None
    files: tuple[GuestFile, ...] = ()
    symbolic_stdout: bool = False
    failures: int = 0
