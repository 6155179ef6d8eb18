"""Lines of LLVM IR that access objects without following any pointer of the program.

An access finds its object in a table, checks that its bytes lie in the object and are concrete, and uses the address of
the object's data. If a check fails, the code leaves before any effect.
"""

from __future__ import annotations

from unfork.engine.instructions.forms import SCALARS
from unfork.engine.state.flat_layout import FRONT, LOWEST_ADDRESS, NEAR
from unfork.engine.state.memory import END_OF_NAMES, FIRST_STATIC, LARGEST, SLOT_BITS, SLOT_MASK, SLOT_MIDDLE
from unfork.engine.state.state import ProgramPoint
from unfork.program.facts.address_uses import WORD
from unfork.program.llvm import layout
from unfork.program.llvm.types import PointerType, Type

ENTRY, BUDGET, PASSED, MISSED, COUNT, REGISTERS = range(6)
"""Words: the head to enter at; the budget of instructions, then how many ran; the address of coverage's ``passed``; the
object that the table lacked; the length of the table; the first register.
"""
FIELDS = NUMBER, DATA, MASK, LIMIT, STORED, REFUSED, START, NAMES = range(8)
"""A table entry: the object's number; the addresses of its data and of its mask (or 0); its size for loads, and for
stores (-1 if these are impossible); the bits of the mask that forbid a store; its address as a number; whether it may
contain pointers.
"""
SIZES = (1, 2, 4, 8)
FIND = f"""
define internal ptr @find(ptr %W, ptr %T, i64 %number) noinline {{
  %end.at = getelementptr i64, ptr %W, i64 {COUNT}
  %end = load i64, ptr %end.at
  br label %next
next:
  %i = phi i64 [ 0, %0 ], [ %j, %other ]
  %more = icmp ult i64 %i, %end
  br i1 %more, label %look, label %none
look:
  %at = getelementptr [{len(FIELDS)} x i64], ptr %T, i64 %i
  %have = load i64, ptr %at
  %same = icmp eq i64 %have, %number
  br i1 %same, label %found, label %other
other:
  %j = add i64 %i, 1
  br label %next
found:
  ret ptr %at
none:
  ret ptr null
}}
"""


class NotNative(Exception):
    """The instruction cannot run natively."""


def kind_of(type: Type) -> str:
    """The native type of a scalar: an integer of at most 64 bits."""
    if not isinstance(type, SCALARS) or layout.bits_of(type) > 64:
        raise NotNative
    return f"i{layout.bits_of(type)}"


class NativeLines:
    """Lines of one function. ``sites`` counts the places that cache a table entry; ``leaving`` are the points to leave
    at.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.leaving: dict[ProgramPoint, None] = {}
        self.sites = 0
        self._values = 0

    def new(self, text: str) -> str:
        """Write the computation of ``text``; the name of its value."""
        self._values += 1
        self.lines.append(f"  %v{self._values} = {text}")
        return f"%v{self._values}"

    def label(self) -> str:
        self._values += 1
        return f"l{self._values}"

    def leave(self, point: ProgramPoint) -> str:
        self.leaving[point] = None
        return f"%leave{point[0]}.{point[1]}"

    def unless(self, condition: str, point: ProgramPoint) -> None:
        """Leave at ``point`` where a condition holds."""
        onward = self.label()
        self.lines.append(f"  br i1 {condition}, label {self.leave(point)}, label %{onward}")
        self.lines.append(f"{onward}:")

    def add(self, counter: str, count: str | int) -> str:
        total = self.new(f"add i64 {self.new(f'load i64, ptr {counter}')}, {count}")
        self.lines.append(f"  store i64 {total}, ptr {counter}")
        return total

    def resized(self, value: str, before: int, after: int, wider: str = "zext") -> str:
        if before == after:
            return value
        return self.new(f"{wider if after > before else 'trunc'} i{before} {value} to i{after}")

    # --- memory ---

    def _at(self, entry: str, field: int) -> str:
        return self.new(f"getelementptr i64, ptr {entry}, i64 {field}")

    def _field(self, entry: str, field: int) -> str:
        return self.new(f"load i64, ptr {self._at(entry, field)}, !invariant.load !0")

    def _entry(self, pointer: str, point: ProgramPoint) -> str:
        """The table entry for the object of a pointer. Each site caches its last one."""
        cache, find, onward = f"%c{self.sites}", self.label(), self.label()
        self.sites += 1
        number = self.new(f"lshr i64 {pointer}, {SLOT_BITS}")
        known = self.new(f"load ptr, ptr {cache}")
        same = self.new(f"icmp eq i64 {self._field(known, NUMBER)}, {number}")
        self.lines += [f"  br i1 {same}, label %{onward}, label %{find}", f"{find}:"]
        missed = self.new(f"getelementptr i64, ptr %W, i64 {MISSED}")
        self.lines.append(f"  store i64 {number}, ptr {missed}")
        entry = self.new(f"call ptr @find(ptr %W, ptr %T, i64 {number})")
        self.unless(self.new(f"icmp eq ptr {entry}, null"), point)
        self.lines += [f"  store i64 0, ptr {missed}", f"  store ptr {entry}, ptr {cache}"]
        self.lines += [f"  br label %{onward}", f"{onward}:"]
        return self.new(f"load ptr, ptr {cache}")

    def _offset(self, pointer: str) -> str:
        low = self.new(f"and i64 {pointer}, {SLOT_MASK}")
        return self.new(f"sub i64 {low}, {SLOT_MIDDLE}")

    def _within(self, pointer: str, size: int, limit: int, point: ProgramPoint) -> tuple[str, str]:
        """The entry and the offset of an access, which leaves unless it lies in its object."""
        entry, offset = self._entry(pointer, point), self._offset(pointer)
        last = self.new(f"sub i64 {self._field(entry, limit)}, {size}")
        self.unless(self.new(f"icmp slt i64 {offset}, 0"), point)
        self.unless(self.new(f"icmp sgt i64 {offset}, {last}"), point)
        return entry, offset

    def _masked(self, entry: str, offset: str, size: int, point: ProgramPoint, *, stores: bool) -> None:
        """Leave where the mask forbids the access. A store makes unwritten bytes concrete."""
        bits, look, onward = 8 * size, self.label(), self.label()
        mask = self._field(entry, MASK)
        none = self.new(f"icmp eq i64 {mask}, 0")
        self.lines += [f"  br i1 {none}, label %{onward}, label %{look}", f"{look}:"]
        at = self.new(f"inttoptr i64 {self.new(f'add i64 {mask}, {offset}')} to ptr")
        marks = self.new(f"load i{bits}, ptr {at}, align 1")
        if stores:
            refused = self.resized(self._field(entry, REFUSED), 64, bits)
            marks = self.new(f"and i{bits} {marks}, {refused}")
        self.unless(self.new(f"icmp ne i{bits} {marks}, 0"), point)
        if stores:
            self.lines.append(f"  store i{bits} 0, ptr {at}, align 1")
        self.lines += [f"  br label %{onward}", f"{onward}:"]

    def _data(self, entry: str, offset: str) -> str:
        return self.new(f"inttoptr i64 {self.new(f'add i64 {self._field(entry, DATA)}, {offset}')} to ptr")

    def load(self, pointer: str, type: Type, point: ProgramPoint) -> str:
        width, size = layout.bits_of(type), layout.store_size(type)
        if size not in SIZES:
            raise NotNative
        entry, offset = self._within(pointer, size, LIMIT, point)
        self._masked(entry, offset, size, point, stores=False)
        self._unless_piece(entry, offset, size, LIMIT, point)
        value = self.new(f"load i{8 * size}, ptr {self._data(entry, offset)}, align 1")
        if isinstance(type, PointerType):  # a stored number means another pointer
            before = self.new(f"sub i64 {value}, 1")
            self.unless(self.new(f"icmp ult i64 {before}, {LOWEST_ADDRESS - 1}"), point)
        elif size == WORD:  # and a stored pointer another number
            self.unless(self._is_named(value), point)
        return self.resized(value, 8 * size, width)

    def _is_named(self, value: str) -> str:
        named = self.new(f"sub i64 {self.new(f'lshr i64 {value}, {SLOT_BITS}')}, {FIRST_STATIC}")
        has_name = self.new(f"icmp ult i64 {named}, {END_OF_NAMES - FIRST_STATIC}")
        distance = self.new(f"add i64 {self._offset(value)}, {FRONT}")
        is_near = self.new(f"icmp ule i64 {distance}, {LARGEST + 2 * FRONT}")
        return self.new(f"and i1 {has_name}, {is_near}")

    def _unless_piece(self, entry: str, offset: str, size: int, limit: int, point: ProgramPoint) -> None:
        """Leave where an access may touch a piece of a pointer (engine/memory/pieces.py)."""
        first = self.new(f"and i64 {offset}, {-WORD}")
        words = [first]
        if size > 1:
            words.append(self.new(f"and i64 {self.new(f'add i64 {offset}, {size - 1}')}, {-WORD}"))
        onward, inside = self.label(), self.label()
        names = self.new(f"load i64, ptr {self._at(entry, NAMES)}")
        none = self.new(f"icmp eq i64 {names}, 0")
        self.lines += [f"  br i1 {none}, label %{onward}, label %{inside}", f"{inside}:"]
        if size == WORD:
            look = self.label()
            is_unaligned = self.new(f"icmp ne i64 {first}, {offset}")
            self.lines += [f"  br i1 {is_unaligned}, label %{look}, label %{onward}", f"{look}:"]
        for word in words:
            read, after = self.label(), self.label()
            last = self.new(f"sub i64 {self._field(entry, limit)}, {WORD}")
            fits = self.new(f"icmp sle i64 {word}, {last}")
            self.lines += [f"  br i1 {fits}, label %{read}, label %{after}", f"{read}:"]
            value = self.new(f"load i64, ptr {self._data(entry, word)}, align 1")
            self.unless(self._is_named(value), point)
            self.lines += [f"  br label %{after}", f"{after}:"]
        self.lines += [f"  br label %{onward}", f"{onward}:"]

    def store(self, value: str, pointer: str, type: Type, point: ProgramPoint) -> None:
        width, size = layout.bits_of(type), layout.store_size(type)
        if size not in SIZES:
            raise NotNative
        entry, offset = self._within(pointer, size, STORED, point)
        self._unless_piece(entry, offset, size, STORED, point)
        value = self.resized(value, width, 8 * size)
        if size == WORD:  # a pointer lies in words as a whole
            is_unaligned = self.new(f"icmp ne i64 {self.new(f'and i64 {offset}, {WORD - 1}')}, 0")
            self.unless(self.new(f"and i1 {is_unaligned}, {self._is_named(value)}"), point)
        self._masked(entry, offset, size, point, stores=True)
        if isinstance(type, PointerType):
            self.lines.append(f"  store i64 1, ptr {self._at(entry, NAMES)}")
        self.lines.append(f"  store i{8 * size} {value}, ptr {self._data(entry, offset)}, align 1")

    def number(self, pointer: str, point: ProgramPoint) -> str:
        """The number that a pointer becomes (engine/state/flat_layout.py)."""
        object_case, onward, origin = self.label(), self.label(), self.label()
        self.lines += [f"  br label %{origin}", f"{origin}:"]
        small = self.new(f"icmp ult i64 {pointer}, {LOWEST_ADDRESS}")
        self.lines += [f"  br i1 {small}, label %{onward}, label %{object_case}", f"{object_case}:"]
        entry, offset = self._entry(pointer, point), self._offset(pointer)
        distance = self.new(f"add i64 {offset}, {NEAR}")
        self.unless(self.new(f"icmp ugt i64 {distance}, {2 * NEAR}"), point)
        number, last = self.new(f"add i64 {self._field(entry, START)}, {offset}"), self.label()
        self.lines += [f"  br label %{last}", f"{last}:", f"  br label %{onward}", f"{onward}:"]
        return self.new(f"phi i64 [ {pointer}, %{origin} ], [ {number}, %{last} ]")
