"""Turns ``unfork cc`` and ``unfork ar`` into the programs behind them, with few imports, so that they start fast."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from unfork.toolchain import cc
from unfork.toolchain.kit import Kit, NoKit, kit

UNUSABLE = 2


def main(words: Sequence[str]) -> int:
    """Become the compiler or the archiver that ``words`` name; returns an exit status only if that fails."""
    tool, *rest = words
    try:
        tools = kit()
        command = cc.words(tools, rest) if tool == "cc" else archiver(tools, rest)
        os.execv(command[0], command)
    except NoKit as problem:
        sys.stderr.write(f"unfork {tool}: {problem}\n")
    except OSError as error:
        sys.stderr.write(f"unfork {tool}: {error.filename or ''}: {error.strerror}\n")
    return UNUSABLE


def archiver(tools: Kit, rest: Sequence[str]) -> list[str]:
    """LLVM's archiver, which lists the symbols of bitcode and of machine code alike."""
    return [tools.zig, "ar", *rest]
