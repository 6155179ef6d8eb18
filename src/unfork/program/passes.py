"""Simplifies a module by passes that change no branch and drop no fault."""

from __future__ import annotations

import re

from unfork.program.llvm import take_locals_out_of_memory
from unfork.program.opaque import KEEP, opaque

KEEP_LINES = re.compile(rf"^(?:  call void|declare void) @{re.escape(KEEP)}\(.*\n", re.M)


def simplify(text: str) -> str:
    """The module's text with most locals in registers. The control flow stays the compiler's."""
    return KEEP_LINES.sub("", take_locals_out_of_memory(opaque(text)))
