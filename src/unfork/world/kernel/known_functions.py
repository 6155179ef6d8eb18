"""Every function that the engine defines itself."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from unfork.world.kernel import kernel
from unfork.world.library.catalogue import C_LIBRARY, TOOLS, Library
from unfork.world.library.model import FunctionModel

Models: TypeAlias = Mapping[str, FunctionModel]
"""Functions that the engine defines, by name."""
NO_MODELS: Models = MappingProxyType({})


def library(more: Models = NO_MODELS) -> Library:
    """The functions that have a model: of the C library, of tools, system calls, and ``more``."""
    return Library((*C_LIBRARY, *TOOLS, kernel.MODELS, more))
