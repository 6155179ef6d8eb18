"""The exceptions that unfork raises on purpose: one tree, of which a script needs to know the root alone.

A value of a type that an argument cannot have is a TypeError, as anywhere in Python.
"""

from __future__ import annotations

from collections.abc import Sequence


class UnforkError(Exception):
    """The root: the message says what is wrong."""


class InputError(UnforkError):
    """Input or options that cannot be used; the message is one clear line that says what to do (exit status 2)."""


class CompileError(InputError):
    """The compiler rejected a file; the message is its output, of C++ what leads to the program, then ``advice``."""

    def __init__(self, message: str, advice: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.advice = tuple(advice)


class OutOfTime(InputError):
    """The time that the user gave was over before there was a program to explore (exit status 3)."""


class Unsupported(UnforkError):
    """The analysed program needs ``construct``, which is not built; ends that path loudly (docs/limitations.md)."""

    def __init__(self, construct: str) -> None:
        super().__init__(construct)
        self.construct = construct
