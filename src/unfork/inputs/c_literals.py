"""Values of inputs as constants of C."""

from __future__ import annotations

import math

from unfork.inputs.testcase import TestInput, number_of

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
