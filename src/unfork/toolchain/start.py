"""Turns ``unfork cc`` and ``unfork ar`` into the programs behind them, in a few milliseconds."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from unfork.toolchain import cc
from unfork.toolchain.kit import Kit, NoKit, kit

UNUSABLE = 2


def main(words: Sequence[str]) -> int:
    """Become the compiler or the archiver that ``words`` name; returns only where that cannot be."""
    tool, *rest = words
    try:
        found = kit()
        command = cc.words(found, rest) if tool == "cc" else archiver(found, rest)
        os.execv(command[0], command)
    except NoKit as problem:
        sys.stderr.write(f"unfork {tool}: {problem}\n")
    except OSError as error:
        sys.stderr.write(f"unfork {tool}: {error.filename or ''}: {error.strerror}\n")
    return UNUSABLE


def archiver(found: Kit, rest: Sequence[str]) -> list[str]:
    """LLVM's archiver, which lists the symbols of bitcode and of machine code alike."""
    return [found.zig, "ar", *rest]
