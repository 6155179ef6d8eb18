"""The exceptions that unfork raises on purpose: bad input, no time left, and constructs that it does not support."""

from __future__ import annotations


class InputError(Exception):
    """Input or options that cannot be used; the message is one clear line that says what to do (exit status 2)."""


class OutOfTime(InputError):
    """The time that the user gave was over before there was a program to explore (exit status 3)."""


class Unsupported(Exception):
    """The analysed program needs ``construct``, which is not built; ends that path loudly (docs/limitations.md)."""

    def __init__(self, construct: str) -> None:
        super().__init__(construct)
        self.construct = construct
