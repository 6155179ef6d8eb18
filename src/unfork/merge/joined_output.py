"""What a joined state has printed: what both sides printed alike, or a choice."""

from __future__ import annotations

from unfork.logic.term import Value
from unfork.state.state import EitherOutput, Output


def joined_output(first: Value, a: Output, b: Output) -> Output:
    """The output of ``a`` where ``first`` (1 bit) holds, else that of ``b``."""
    return a if _alike(a, b) else EitherOutput(first, a, b)


def _alike(a: Output, b: Output) -> bool:
    while a is not b:
        if not isinstance(a, tuple) or not isinstance(b, tuple) or a[1:] != b[1:]:
            return False
        a, b = a[0], b[0]
    return True
