"""Values of inputs as constants of C, and back."""

from __future__ import annotations

import math
import re
import struct

from unfork.inputs.testcase import TestInput, number_of

_INTEGER = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
_LEAST = re.compile(r"\(?\s*-\s*(\d+)[lL]*\s*-\s*1\s*\)?")
_LEAST_INT, _LEAST_LONG = -(2**31), -(2**63)


def literal(entry: TestInput) -> str | None:
    """A C constant of the input's value; None where == would not say what it is (NaN, -0.0), or C has none for it."""
    number = number_of(entry)
    if "*" in (entry.type or ""):
        return None if any(entry.data) else "0"
    if isinstance(number, float):
        is_told = math.isfinite(number) and (number != 0 or math.copysign(1, number) > 0)
        return repr(number) if is_told else None
    if number is None or not _LEAST_LONG <= number < 2**64:
        return None
    if number == _LEAST_LONG:
        return f"(-{2**63 - 1}LL - 1)"
    if _LEAST_INT < number < 2**31:
        return str(number)
    return f"{number}LL" if number < 2**63 else f"{number}ULL"


def data_of(text: str, size: int, type_name: str | None) -> bytes | None:
    """The bytes of a value of ``size`` bytes that a C constant stands for; None if it is no constant."""
    number: int | float | None = None
    if integer := _INTEGER.fullmatch(text):
        sign, digits = integer.groups()
        is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        try:
            number = int(digits, 8 if is_octal else 0) * (-1 if sign == "-" else 1)
        except ValueError:
            return None
    elif least := _LEAST.fullmatch(text):
        number = -int(least[1]) - 1
    else:
        try:
            number = float.fromhex(text) if "x" in text.lower() else float(text.rstrip("fFlL"))
        except ValueError:
            return None
    if type_name in ("float", "double"):
        return struct.pack("<f" if size == 4 else "<d", number)
    if isinstance(number, float):
        return None
    return (number & (1 << 8 * size) - 1).to_bytes(size, "little")
