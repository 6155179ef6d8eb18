"""Python text for instructions on plain ints, and for accesses to concrete bytes (engine/machine/compile.py).

Law: the results are those of the constructors in logic/terms/build.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from struct import Struct
from typing import Any

from unfork.engine.state.flat_layout import (
    END,
    FRONT,
    IMAGE,
    LOWEST_ADDRESS,
    address_at,
    number_in,
    number_of,
    start_of,
)
from unfork.engine.state.memory import (
    BEFORE_NAME,
    FIRST_HEAP,
    LARGEST,
    SLOT_BITS,
    SLOT_MASK,
    SLOT_MIDDLE,
    UNINITIALISED,
)
from unfork.engine.step.numbers import spelled
from unfork.logic.terms.concrete import signed
from unfork.program.facts.address_uses import WORD
from unfork.program.llvm import layout
from unfork.program.llvm.ir import GetElementPointer, Operand
from unfork.program.llvm.types import PointerType, Type

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
    return f"{_biased_text(left, width)} {operator} {_biased_text(right, width)}"


def _biased_text(text: str, width: int) -> str:
    sign = 1 << (width - 1)
    return str(int(text) ^ sign) if text.isdigit() else f"({text} ^ {sign})"


def integer_text(op: str, width: int, left: str, right: str) -> tuple[str | None, str | None]:
    """(guard, text) of an integer operation. Full semantics take over where the guard holds, or text is None."""
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
    """The bits of a shift's amount that count, as on x86, which shifts 32 or 64 bits, or a larger power of two.

    Narrower numbers are shifted as 32 or 64 bits, then cut. (Too large an amount is undefined in C; the compiler
    inserts the test for --check shift.)
    """
    return min(max(32, 1 << (width - 1).bit_length()) - 1, (1 << width) - 1)


def _shift(op: str, width: int, left: str, right: str, constant: int | None) -> str:
    mask = amount_mask(width)
    amount = f"({right} & {mask})" if constant is None else str(constant & mask)
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


_IS_BEFORE_NAME = f" & 255) == {BEFORE_NAME}"
"""Tests the fifth byte of a pointer, which no offset changes."""
_SIXTH = f"{bytes((IMAGE >> 40,))!r} <= o.data[f & -8 | 5:f & -8 | 6] < b'\\x80'"
"""Whether the sixth byte of the word at offset ``f`` may belong to a number that is an address."""


def address_text(number: str) -> str:
    """Whether a number of 64 bits may be the address of a block or local, as a pointer or as its number."""
    is_near = f"({number} - {SLOT_MIDDLE - LARGEST} & {SLOT_MASK}) < {2 * LARGEST}"
    is_pointer = f"{is_near} and {number} >> {SLOT_BITS + 18}"
    return f"{is_pointer} or {start_of(FIRST_HEAP) - FRONT} <= {number} < {END}"


def name_text(number: str, size: int, is_number: bool) -> str:
    """Whether ``number``, read from ``size`` bytes at offset ``f`` of object ``o``, may contain bytes of a name."""
    if size == WORD:
        return "f & 7" if is_number else f"{address_text(number)} or f & 7"
    if size == 4:
        return f"f & 3 or ({number}{_IS_BEFORE_NAME} and {number} >> 8 or {_SIXTH}"
    if size in (1, 2):
        return f"f & 7 > {5 - size} and (o.data[f & -8 | 4]{_IS_BEFORE_NAME} or f & 7 > {1 - size} and {_SIXTH}"
    return "True"


FORMATS = {2: "<H", 4: "<I", 8: "<Q"}
NAMES: Mapping[str, Callable[..., Any]] = {
    "FROM": int.from_bytes,
    "NUMBER": number_of,
    "POINTER": address_at,
    "SPELLED": spelled,
    "READ": number_in,
    **{f"U{size}": Struct(text).unpack_from for size, text in FORMATS.items()},
    **{f"P{size}": Struct(text).pack_into for size, text in FORMATS.items()},
}
"""The functions that the texts call."""


def element_text(address: GetElementPointer, base: str, use: Callable[[Operand], str]) -> str:
    """The pointer of a getelementptr, before it is cut to 64 bits; ``use`` gives the text of an index."""
    text = base
    if address.offset:
        text += f" {'-' if address.offset < 0 else '+'} {abs(address.offset)}"
    for index, stride in address.terms:
        width, value = layout.bits_of(index.type), use(index)
        if value.isdigit():
            value = f"({signed(int(value), width)})"
        elif width < 64:
            value = signed_text(value, width)
        text += f" + {value}" if stride == 1 else f" + {value} * {stride}"
    return text


def location_text(pointer: str, size: int) -> tuple[list[str], str]:
    """Lines that find object ``o`` and offset ``f`` of an access, and the test whether it is outside any object."""
    lookup = [f"o = G({pointer} >> {SLOT_BITS}, NOBODY)", f"f = ({pointer} & {SLOT_MASK}) - {SLOT_MIDDLE}"]
    return lookup, f"not 0 <= f <= o.limit - {size}"


def masked_text(size: int) -> str:
    """Whether the access touches a symbolic or unwritten byte."""
    masked = "o.mask[f]" if size == 1 else f"o.mask[f:f + {size}] != {bytes(size)!r}"
    return f"o.mask is not None and {masked}"


def unwritten_text(size: int) -> str:
    """Whether the access touches an unwritten byte."""
    unwritten = f"o.mask[f] == {UNINITIALISED}" if size == 1 else f"{UNINITIALISED} in o.mask[f:f + {size}]"
    return f"o.mask is not None and {unwritten}"


def piece_text(size: int) -> str:
    """Whether the access may touch a piece of a pointer (engine/memory/pieces.py)."""
    return f"o.has_names and {named_text(size)}"


def named_text(size: int) -> str:
    """The same in an object that has names."""
    first = f"o.data[f & -8 | 4:f & -8 | 5] == {bytes((BEFORE_NAME,))!r}"
    last = f"o.data[f + {size - 1} & -8 | 4:f + {size - 1} & -8 | 5] == {bytes((BEFORE_NAME,))!r}"
    match size:
        case 1:
            return first
        case 2 | 4:
            return f"({first} or f & 7 > {WORD - size} and {last})"
        case 8:
            return f"f & 7 and ({first} or {last})"
    return "o.has_names"


def load_text(kind: Type) -> str:
    """The bytes at ``f`` as a scalar of this type."""
    size, width = layout.store_size(kind), layout.bits_of(kind)
    if size == 1:
        text = "o.data[f]"
    elif size in FORMATS:
        text = f"U{size}(o.data, f)[0]"
    else:
        text = f'FROM(o.data[f:f + {size}], "little")'
    return text if width == 8 * size else f"{text} & {(1 << width) - 1}"


def term_text(kind: Type) -> str:
    """The written bytes at ``f``, concrete or not, as a scalar of this type, which is no pointer."""
    size, width = layout.store_size(kind), layout.bits_of(kind)
    text = "o.byte(f)" if size == 1 else f"o.read(f, {size})"
    if size == WORD:
        text = f"READ_NUMBER(step, {text})"
    return text if width == 8 * size else f"RESIZED({text}, {8 * size}, {width})"


def converted_text(kind: Type, name: str) -> list[str]:
    """Lines that make a pointer of a stored number, or a number of a stored pointer, as ``kind`` demands."""
    if isinstance(kind, PointerType):
        return [f"if {name} < {LOWEST_ADDRESS} and {name}: {name} = POINTER({name}, memory)"]
    is_word = layout.store_size(kind) == layout.bits_of(kind) // 8 == WORD
    return [f"if {name} >= {LOWEST_ADDRESS}: {name} = READ({name}, memory)"] if is_word else []


def store_text(kind: Type, value: str) -> str:
    """The statement that writes a scalar of this type at ``f``."""
    size = layout.store_size(kind)
    if size == 1:
        return f"o.data[f] = {value}"
    names = "; o.has_names = True" if isinstance(kind, PointerType) else ""  # numbers have no names
    if size in FORMATS:
        return f"P{size}(o.data, f, {value}){names}"
    return f'o.data[f:f + {size}] = ({value}).to_bytes({size}, "little"){names}'
