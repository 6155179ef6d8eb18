"""C++ names as in the source, from their mangled form in the Itanium C++ ABI."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import itanium_demangler  # type: ignore[import-untyped]

MANGLED = "_Z"
"""Prefix of mangled names."""
_MANGLED_WORD = re.compile(r"\b_Z[\w$]+")
_NUMBERED = re.compile(r"_\d+$")
"""Suffix of a local variable's name that is not the first of its name in the function."""
_UNSPOKEN = re.compile(r"\b_GLOBAL__N_1\b|\bstd::__1::|\[abi:\w+\]")
_SPOKEN = {"_GLOBAL__N_1": "(anonymous namespace)", "std::__1::": "std::"}
_LOCAL = "_ZZ"
_ARGUMENTS = re.compile("<[^<>]*>")
_KEPT = 4096
_UNKNOWN = (NotImplementedError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The library's exceptions for unknown names, and for other text."""


@lru_cache(maxsize=_KEPT)
def function_name(mangled: str, name: str) -> str:
    """The function called ``name`` with its namespaces, class and template arguments, without its parameters.

    Just ``name`` if there is nothing to add, as for lambdas.
    """
    node = _parse(mangled)
    if node is None:
        return name
    qualified = _qualified(node)
    return f"{qualified.rpartition('::')[0]}::{name}" if qualified.endswith("}") else qualified


@lru_cache(maxsize=_KEPT)
def type_name(mangled: str) -> str:
    """A type from its name in std::type_info."""
    node = _parse(f"{MANGLED}TS{mangled}")
    return mangled if node is None else plain_name(str(node.value))


def readable(text: str) -> str:
    """A text for readers, with functions and variables named as in the source."""
    return _MANGLED_WORD.sub(lambda found: _whole_name(found[0]), text) if MANGLED in text else text


@lru_cache(maxsize=_KEPT)
def _whole_name(mangled: str) -> str:
    node = _parse(mangled)
    return (_local_name(mangled) or mangled) if node is None else _qualified(node)


def _local_name(mangled: str) -> str:
    """FUNCTION::NAME for a function's local definition, which the library does not read; "" for other names."""
    encoding = _NUMBERED.sub("", mangled.removeprefix(_LOCAL))
    for end in (found.start() for found in re.finditer("E", encoding) if mangled.startswith(_LOCAL)):
        function, entity = _parse(MANGLED + encoding[:end]), _parse(MANGLED + encoding[end + 1 :])
        if function is not None and entity is not None:
            return f"{_qualified(function)}::{_qualified(entity)}"
    return ""


def _qualified(node: Any) -> str:
    """The name of a node, without the parameters of a function."""
    while node.kind in ("func", "cv_qual", "ref_qual"):
        node = node.name if node.kind == "func" else node.value
    return plain_name(str(node))


def plain_name(name: str) -> str:
    """A name as in the source: without inline namespaces and ABI tags."""
    return _UNSPOKEN.sub(lambda found: _SPOKEN.get(found[0], ""), name)


def without_arguments(name: str) -> str:
    """A qualified name without template arguments; operators stay as they are."""
    shorter = name
    while "operator" not in name and (shorter := _ARGUMENTS.sub("", name)) != name:
        name = shorter
    return shorter


def _parse(mangled: str) -> Any:
    """The parts of a name; None if the library does not know them."""
    try:
        return itanium_demangler.parse(mangled)
    except _UNKNOWN:
        return None
