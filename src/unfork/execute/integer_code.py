"""Python text for integer instructions on plain ints; its law: same results as the constructors of logic/build.py."""

from __future__ import annotations

from unfork.logic.concrete import signed

COMPARISONS = {
    "eq": "==",
    "ne": "!=",
    "ult": "<",
    "ule": "<=",
    "ugt": ">",
    "uge": ">=",
    "slt": "<",
    "sle": "<=",
    "sgt": ">",
    "sge": ">=",
}


def signed_text(text: str, width: int) -> str:
    """Text of the signed reading of a value."""
    sign = 1 << (width - 1)
    return f"(({text} ^ {sign}) - {sign})"


def comparison_text(predicate: str, width: int, left: str, right: str) -> str:
    """Text of a comparison, true or false; signed ones compare with the sign bit flipped."""
    operator = COMPARISONS[predicate]
    if not predicate.startswith("s"):
        return f"{left} {operator} {right}"
    return f"{_biased(left, width)} {operator} {_biased(right, width)}"


def _biased(text: str, width: int) -> str:
    sign = 1 << (width - 1)
    return str(int(text) ^ sign) if text.isdigit() else f"({text} ^ {sign})"


def integer_text(op: str, width: int, left: str, right: str) -> tuple[str | None, str | None]:
    """(guard, text) of an integer operation: where the guard holds, or text is None, full semantics must take over."""
    mask = (1 << width) - 1
    constant = int(right) if right.isdigit() else None
    match op:
        case "add" if constant is not None:
            number = signed(constant, width)
            return None, f"({left} {'-' if number < 0 else '+'} {abs(number)}) & {mask}"
        case "add":
            return None, f"({left} + {right}) & {mask}"
        case "sub":
            return None, f"({left} - {right}) & {mask}"
        case "mul":
            return None, f"({left} * {right}) & {mask}"
        case "and":
            return None, f"{left} & {right}"
        case "or":
            return None, f"{left} | {right}"
        case "xor":
            return None, f"{left} ^ {right}"
        case "shl" | "lshr" | "ashr":
            return None, _shift(op, width, left, right, constant)
        case "udiv" | "urem":
            if constant == 0:
                return None, None
            return None if constant else f"not {right}", f"{left} {'//' if op == 'udiv' else '%'} {right}"
        case "sdiv" | "srem":
            return _signed_division(op, width, left, right, constant)
    return None, None


def amount_mask(width: int) -> int:
    """The bits of the amount of a shift that count, as on x86: it shifts 32 or 64 bits, or a larger power of two.

    A narrower number is shifted as one of 32 or 64 bits, from which it is cut then. (A shift by the width or more is
    undefined in C; --check shift is a test that the compiler puts before it.)
    """
    return min(max(32, 1 << (width - 1).bit_length()) - 1, (1 << width) - 1)


def _shift(op: str, width: int, left: str, right: str, constant: int | None) -> str:
    kept = amount_mask(width)
    amount = f"({right} & {kept})" if constant is None else str(constant & kept)
    mask = (1 << width) - 1
    match op:
        case "shl":
            return f"({left} << {amount}) & {mask}"
        case "lshr":
            return f"{left} >> {amount}"
    return f"({signed_text(left, width)} >> {amount}) & {mask}"


def _signed_division(op: str, width: int, left: str, right: str, constant: int | None) -> tuple[str | None, str | None]:
    mask, sign = (1 << width) - 1, 1 << (width - 1)
    call = f"{op.upper()}({left}, {right}, {width})"
    if constant is None:
        return f"not {right} or {right} == {mask} and {left} == {sign}", call
    if constant in (0, mask):
        return None, None
    if constant < sign:
        operator = "//" if op == "sdiv" else "%"
        return None, f"{left} {operator} {right} if {left} < {sign} else {call}"
    return None, call
