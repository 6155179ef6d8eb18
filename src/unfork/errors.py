"""The exceptions that unfork raises on purpose: one tree. A script needs to know its root alone.

An argument of the wrong type is a TypeError, as anywhere in Python.
"""

from __future__ import annotations

from collections.abc import Sequence


class UnforkError(Exception):
    """The root: the message says what is wrong."""


class InputError(UnforkError):
    """Input or options that cannot be used; the message is one clear line that says what to do (exit status 2)."""


class CompileError(InputError):
    """The compiler rejected a file.

    The message is its output, for C++ the part that concerns the program; then comes ``advice``.
    """

    def __init__(self, message: str, advice: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.advice = tuple(advice)


class OutOfTime(InputError):
    """--max-time was over before there was a program to explore (exit status 3)."""


class NotNarrow(InputError):
    """The program is for pointers of 32 bits, and has what is supported for 64 bits alone."""


class Unsupported(UnforkError):
    """The analysed program needs ``construct``, which unfork lacks. Ends that path loudly (docs/limitations.md)."""

    def __init__(self, construct: str) -> None:
        super().__init__(construct)
        self.construct = construct
