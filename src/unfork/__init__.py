"""unfork: symbolic execution of C that merges states, prunes them, and replays every bug that it reports."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from unfork.later import Finder

if TYPE_CHECKING:
    from unfork.commands.run.run import Result, run
    from unfork.errors import InputError, UnforkError
    from unfork.options.options import Options

sys.meta_path.insert(0, Finder())
__all__ = ["InputError", "Options", "Result", "UnforkError", "run"]

_HOMES = {
    "Result": "unfork.commands.run.run",
    "run": "unfork.commands.run.run",
    "InputError": "unfork.errors",
    "Options": "unfork.options.options",
    "UnforkError": "unfork.errors",
}


def __getattr__(name: str) -> Any:
    """The public names, imported at first use: worker processes import this package and need none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'unfork' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
