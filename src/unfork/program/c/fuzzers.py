"""What fuzzers' compilers accept beyond C: AFL++'s macros, and flags for sanitizers."""

from __future__ import annotations

import os
from collections.abc import Sequence

HEADERS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "include")
_MACROS = os.path.join(HEADERS, "fuzzer", "afl.h")
_MARK = b"__AFL_"
_SANITIZE = "-fsanitize="
_OF_FUZZERS = frozenset(("fuzzer", "fuzzer-no-link"))


def macro_flags(text: bytes) -> tuple[str, ...]:
    """Flags that define AFL++'s macros, for a source that names one of them."""
    return ("-include", _MACROS) if _MARK in text else ()


def macros(text: str) -> str:
    """The definitions of these macros, for a source that names one of them; else nothing."""
    if _MARK.decode() not in text:
        return ""
    with open(_MACROS, encoding="utf-8") as file:
        return file.read()


def without_sanitizers(words: Sequence[str]) -> tuple[list[str], frozenset[str]]:
    """A compiler's words without those for sanitizers, if one of them asks for a fuzzer; and what they ask for."""
    lists = [word.removeprefix(_SANITIZE).split(",") for word in words if word.startswith(_SANITIZE)]
    asked = frozenset([name for names in lists for name in names])
    if not asked & _OF_FUZZERS:
        return [*words], frozenset()
    return [word for word in words if not word.startswith(("-fsanitize", "-fno-sanitize"))], asked
