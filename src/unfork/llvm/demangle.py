"""Names of C++ as the source has them, from what the Itanium C++ ABI makes of them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import itanium_demangler  # type: ignore[import-untyped]

MANGLED = "_Z"
"""How the names of C++ begin."""
_INLINE_NAMESPACE = re.compile(r"\bstd::__1::|\[abi:\w+\]|\b_GLOBAL__N_1\b")
_SHOWN = {"std::__1::": "std::", "_GLOBAL__N_1": "(anonymous namespace)"}
_ARGUMENTS = re.compile("<[^<>]*>")
_KEPT = 4096
_UNKNOWN = (NotImplementedError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What the library raises for names that it does not know, or that are none."""


@lru_cache(maxsize=_KEPT)
def function_name(mangled: str, name: str) -> str:
    """The function called ``name`` with its namespaces, class and template arguments, without its parameters.

    It is ``name`` itself where nothing more can be told, as of lambdas.
    """
    node = _parse(mangled)
    if node is None:
        return name
    while node.kind in ("func", "cv_qual", "ref_qual"):
        node = node.name if node.kind == "func" else node.value
    qualified = plain_name(str(node))
    return f"{qualified.rpartition('::')[0]}::{name}" if qualified.endswith("}") else qualified


@lru_cache(maxsize=_KEPT)
def type_name(mangled: str) -> str:
    """A type from the name that std::type_info has for it."""
    node = _parse(f"{MANGLED}TS{mangled}")
    return mangled if node is None else plain_name(str(node.value))


def without_arguments(name: str) -> str:
    """A qualified name without the arguments of templates; operators stay as they are."""
    shorter = name
    while "operator" not in name and (shorter := _ARGUMENTS.sub("", name)) != name:
        name = shorter
    return shorter


def plain_name(name: str) -> str:
    """A name without inline namespaces and ABI tags."""
    return _INLINE_NAMESPACE.sub(lambda found: _SHOWN.get(found[0], ""), name)


def _parse(mangled: str) -> Any:
    """The parts of a name; None where the library cannot tell them."""
    try:
        return itanium_demangler.parse(mangled)
    except _UNKNOWN:
        return None
