"""Pointers of 32 bits in memory: loads and stores of one become those of a number, and a conversion.

A pointer in a register has 64 bits, as everywhere in the engine. Where a program's pointers have 32 bits, memory
holds the number of the pointer (engine/state/narrow_layout.py). The conversions are casts of their own, ``spell`` and
``unspell``, since the program did not write them: they are no looks at an address.
"""

from __future__ import annotations

import re

SPELL, UNSPELL = "spell", "unspell"
_LOAD = re.compile(r"^  (%\S+|%\"[^\"]*\") = load (.*?)ptr(, ptr .*)$", re.M)
_STORE = re.compile(r"^  store ((?:atomic |volatile )*)ptr (.*)$", re.M)
_LOCATION = re.compile(r", !dbg !\d+")
_LOADED, _STORED = "unfork.loaded", "unfork.stored"


def with_numbers(text: str) -> str:
    """The text of a function in which memory holds no pointers."""
    count = 0

    def load(match: re.Match[str]) -> str:
        nonlocal count
        result, words, rest = match.groups()
        if words not in ("", "volatile ", "atomic ", "atomic volatile "):
            return match[0]
        count += 1
        where = _LOCATION.search(rest)
        number = f"%{_LOADED}.{count}"
        second = f"  {result} = {UNSPELL} i32 {number} to ptr{where[0] if where else ''}"
        return f"  {number} = load {words}i32{rest}\n{second}"

    def store(match: re.Match[str]) -> str:
        nonlocal count
        words, operands = match.groups()
        at = _end_of_operand(operands)
        count += 1
        where = _LOCATION.search(operands, at)
        number = f"%{_STORED}.{count}"
        first = f"  {number} = {SPELL} ptr {operands[:at]} to i32{where[0] if where else ''}"
        return f"{first}\n  store {words}i32 {number}{operands[at:]}"

    return _STORE.sub(store, _LOAD.sub(load, text))


def _end_of_operand(text: str) -> int:
    """Where the first operand ends: at the first comma outside of parentheses and quotes."""
    depth, is_quoted = 0, False
    for at, letter in enumerate(text):
        if letter == '"':
            is_quoted = not is_quoted
        elif not is_quoted:
            depth += (letter in "([{<") - (letter in ")]}>")
            if letter == "," and depth == 0:
                return at
    return len(text)
