"""JSON whose shape is stated: what is read has it, or one line names the field that has not."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class Hex(bytes):
    """Bytes that stand in a file as hexadecimal digits; plain bytes do so in base64."""


def parse(text: str | bytes, shape: type[T]) -> T:
    """What a text says, as a value of ``shape``. Raises ValueError for any other text.

    A name of the program may hold bytes that are no UTF-8, which Python's reader keeps and msgspec's refuses: so the
    text is read by the one, and its shape checked by the other.
    """
    try:
        return convert(json.loads(text), shape)
    except RecursionError:
        raise ValueError("too deep") from None


def convert(data: Any, shape: type[T]) -> T:
    """Plain data as a value of ``shape``. Raises ValueError, which names the first field that is wrong."""
    try:
        return msgspec.convert(data, shape, dec_hook=_from_digits)
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None


def text(value: Any) -> str:
    """The text of a value on one line."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=bytes.hex))


def readable_text(value: Any) -> str:
    """The text of a value as it stands in files that people read."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=bytes.hex), indent=1, ensure_ascii=True) + "\n"


def _from_digits(kind: type, digits: Any) -> Hex:
    if not isinstance(digits, str):
        raise TypeError("bytes are written as hexadecimal digits")
    return Hex.fromhex(digits)
