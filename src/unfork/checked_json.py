"""Reads JSON of a stated shape; the error names the first field that does not fit."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class Hex(bytes):
    """Bytes written as hexadecimal digits; plain bytes are written in base64."""


def parse(text: str | bytes, shape: type[T]) -> T:
    """The value of ``shape`` that a text describes. Raises ValueError for any other text.

    Python reads the text and msgspec checks its shape: names of a program may hold bytes that are not UTF-8, which
    msgspec's own reader refuses.
    """
    try:
        return convert(json.loads(text), shape)
    except RecursionError:
        raise ValueError("too deep") from None


def convert(data: Any, shape: type[T]) -> T:
    """Plain data as a value of ``shape``. Raises ValueError, which names the first wrong field."""
    try:
        return msgspec.convert(data, shape, dec_hook=_from_digits)
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None


def text(value: Any) -> str:
    """A value as JSON on one line."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=bytes.hex))


def readable_text(value: Any) -> str:
    """A value as indented JSON, for files that people read."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=bytes.hex), indent=1, ensure_ascii=True) + "\n"


def _from_digits(kind: type, digits: Any) -> Hex:
    if not isinstance(digits, str):
        raise TypeError("bytes are written as hexadecimal digits")
    return Hex.fromhex(digits)
