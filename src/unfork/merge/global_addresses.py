"""Where the program's globals are."""

from __future__ import annotations

from typing import Protocol


class Addresses(Protocol):
    """Law: the address of a global is the same in all states of a run."""

    def address(self, name: str) -> int: ...
