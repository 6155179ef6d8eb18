"""The sources, parsed once for all rules."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file, which its readers do not change."""
    return ast.parse(path.read_text("utf-8"))
