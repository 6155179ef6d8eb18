"""Modules that are loaded when something of them is first used: what a command does not need costs it no time."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """Stands for a module. A module that puts one in place of an import says that import too, under TYPE_CHECKING."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)
