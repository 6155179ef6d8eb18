"""The plain form of an instruction: Python text that has its effect while its operands are ints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from unfork.engine.instructions import floats
from unfork.engine.instructions.arithmetic import COMPARISONS, PLAIN, SHIFTS
from unfork.engine.instructions.python_text import (
    NAMES,
    address_text,
    amount_mask,
    comparison_text,
    converted_text,
    element_text,
    integer_text,
    load_text,
    location_text,
    masked_text,
    name_text,
    named_text,
    piece_text,
    store_text,
    term_text,
    unwritten_text,
)
from unfork.engine.memory.piece_looks import put_copied, read_word, spell_and_look
from unfork.engine.memory.pieces import put, spell_out
from unfork.engine.state.flat_layout import GRAIN, LOWEST_ADDRESS
from unfork.engine.state.memory import MASK_64, SLOT_BITS, MemoryObject
from unfork.engine.step.numbers import read_as_number
from unfork.engine.step.operands import resize
from unfork.engine.step.statics import Statics
from unfork.logic.terms import build, concrete
from unfork.logic.terms.term import Term
from unfork.program.facts.address_uses import WORD, AddressUses, is_cut, is_ordered
from unfork.program.facts.piece_uses import PieceUses
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Binary,
    Bits,
    Cast,
    Compare,
    ConstantExpression,
    FloatCompare,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Register,
    Select,
    Store,
)
from unfork.program.llvm.types import NARROW_POINTER, FloatType, IntType, PointerType, Type, VectorType

NOBODY = MemoryObject(bytearray(), 0, "nobody", "nobody")
NOBODY.limit = -1
SCALARS = (IntType, PointerType, FloatType)
TRUTH, OF_BIT = "1 if ", " else 0"
BUILDERS: dict[str, Callable[..., Any]] = {
    **{f"BUILD_{op}": function for op, function in {**PLAIN, **SHIFTS}.items()},
    **{f"COMPARE_{predicate}": function for predicate, function in COMPARISONS.items()},
    "RESIZED": resize,
    "READ_NUMBER": read_as_number,
    "SPELL_OUT": spell_out,
    "SPELL_AND_LOOK": spell_and_look,
    "READ_WORD": read_word,
    "PUT_COPIED": put_copied,
    "PUT": put,
    "TERM": Term,
    "SEXT": build.sext,
}


class NoForm(Exception):
    """The instruction has no plain form."""


@dataclass(slots=True)
class Form:
    """The code of one instruction, without indentation: ``before``, then ``lines``.

    Full semantics must take over if ``guard`` holds after ``before``, or ``late`` after ``lines``. ``text`` is the
    result; ``term`` is it for any operands, if there is such a text. ``is_inline``: ``text`` may stand wherever the
    result is used.
    """

    text: str | None = None
    before: list[str] = field(default_factory=list)
    guard: str | None = None
    lines: list[str] = field(default_factory=list)
    late: str | None = None
    term: str | None = None
    is_inline: bool = False


class Forms:
    """Makes the forms of one function's instructions, along a path through its blocks."""

    def __init__(
        self,
        statics: Statics,
        relative: frozenset[int],
        watched: AddressUses | None,
        pieces: PieceUses,
        fused: frozenset[int],
        is_visible: Callable[[Load | Store], bool],
        *,
        carries: bool,
    ) -> None:
        self._statics = statics
        self._relative = relative
        self.watched = watched
        self._pieces = pieces
        self._fused = fused
        self._is_visible = is_visible
        self._carries = carries
        self.names: dict[int, str] = {}
        """Text of each register that the code holds."""
        self.pointers: dict[int, str] = {}
        """Text of the pointer that a register was converted from, which serves for its low bits and for differences."""
        self.live_in: dict[int, None] = {}
        """Registers that the code reads and does not define."""
        self.used: dict[int, str] = {}
        """The registers that the form reads, with their texts."""
        self.namespace: dict[str, Any] = {
            "NOBODY": NOBODY,
            "SDIV": concrete.sdiv,
            "SREM": concrete.srem,
            **NAMES,
            **BUILDERS,
        }

    # --- operands ---

    def use(self, operand: Operand) -> str:
        match operand:
            case Register(index=index, type=IntType() | PointerType() | FloatType()):
                name = self.names.get(index)
                if name is None:
                    self.live_in[index] = None
                    name = f"r{index}"
                self.used[index] = name
                return name
            case Bits(value=value):
                return str(value)
            case GlobalAddress() | ConstantExpression():
                value = self._statics.constant(operand)
                if isinstance(value, int):
                    return str(value)
        raise NoForm

    def pass_on(self, operand: Operand) -> str:
        """The text of an operand that is only passed on, of any value."""
        if isinstance(operand, Register):
            if operand.index in self.names:
                return self.names[operand.index]
            self.live_in[operand.index] = None
            return f"r{operand.index}"
        return self.use(operand)

    # --- instructions ---

    def form(self, instruction: Instruction) -> Form:
        """The code of one instruction. Raises NoForm."""
        self.used = {}
        match instruction:
            case Binary(type=IntType()):
                return self._binary(instruction)
            case Binary(type=FloatType() as kind, op=op):
                return self._call(floats.compile_float_binary(op, kind), instruction)
            case FloatCompare(type=FloatType() as kind, predicate=predicate):
                return self._call(floats.compile_float_compare(predicate, kind), instruction)
            case Compare(type=IntType() | PointerType()):
                return self._compare(instruction)
            case Cast():
                return self._cast(instruction)
            case Select(type=IntType() | PointerType() | FloatType()):
                condition, then = self.use(instruction.condition), self.use(instruction.then)
                return Form(f"{then} if {condition} else {self.use(instruction.otherwise)}")
            case Freeze(type=IntType() | PointerType() | FloatType(), value=value):
                return Form(self.use(value))
            case GetElementPointer(type=PointerType()):
                return self._address(instruction)
            case Load(type=type) | Store(type=type) if type == NARROW_POINTER:
                raise NoForm
            case Load(type=IntType() | PointerType() | FloatType() as kind):
                return self._load(instruction, kind)
            case Store(type=IntType() | PointerType() | FloatType() as kind):
                return self._store(instruction, kind)
        raise NoForm

    def _binary(self, instruction: Binary) -> Form:
        op, width = instruction.op, layout.bits_of(instruction.type)
        if op == "sub" and width == 64 and self._is_difference(instruction):
            left, right = self._pointer_of(instruction.left), self._pointer_of(instruction.right)
            number = f"NUMBER({left}, memory) - NUMBER({right}, memory)"
            is_near = f"{left} >> {SLOT_BITS} == {right} >> {SLOT_BITS}"
            return Form(f"({left} - {right} if {is_near} else {number}) & {MASK_64}")
        if op == "and" and width == 64 and isinstance(instruction.right, Bits) and instruction.right.value < GRAIN:
            pointer = self._pointer_of(instruction.left)
            return Form(f"{pointer} & {instruction.right.value}", term=self._term_text(op, width, pointer, instruction))
        left, right = self.use(instruction.left), self.use(instruction.right)
        guard, text = integer_text(op, width, left, right)
        if text is None:
            raise NoForm
        tests = (self.address_text([instruction.left, instruction.right]), guard)
        guards = [test for test in tests if test]
        term = None if guards else self._term_text(op, width, left, instruction)
        return Form(text, guard=" or ".join(guards) or None, term=term)

    def _term_text(self, op: str, width: int, left: str, instruction: Binary) -> str | None:
        right = self.use(instruction.right)
        if op in SHIFTS:
            right = f"BUILD_and({right}, {amount_mask(width)}, {width})"
        return f"BUILD_{op}({left}, {right}, {width})" if op in PLAIN or op in SHIFTS else None

    def _pointer_of(self, operand: Operand) -> str:
        pointer = self.pointers.get(operand.index) if isinstance(operand, Register) else None
        return self.use(operand) if pointer is None else pointer

    def _is_difference(self, instruction: Binary) -> bool:
        operands = (instruction.left, instruction.right)
        is_watched = self.watched is not None  # the difference of two objects would be a look
        return not is_watched and all(isinstance(side, Register) and side.index in self.pointers for side in operands)

    def _name_function(self, function: Callable[..., Any]) -> str:
        name = f"F{len(self.namespace)}"
        self.namespace[name] = function
        return name

    def _call(self, function: Callable[..., Any], instruction: Binary | FloatCompare) -> Form:
        left, right = self.use(instruction.left), self.use(instruction.right)
        text = f"{self._name_function(function)}({left}, {right})"
        return Form(text, term=text)

    def _compare(self, instruction: Compare) -> Form:
        left, right = self.use(instruction.left), self.use(instruction.right)
        predicate, width = instruction.predicate, layout.bits_of(instruction.type)
        is_pointer, is_order = isinstance(instruction.type, PointerType), predicate not in ("eq", "ne")
        if is_pointer and is_order and (left.isdigit() or right.isdigit()):
            raise NoForm  # pointers are in order within objects, and a known one may be outside
        text = f"{TRUTH}{comparison_text(predicate, width, left, right)}{OF_BIT}"
        guard = self._order_text(instruction, left, right)
        term = None if is_pointer or guard else f"COMPARE_{predicate}({left}, {right}, {width})"
        if instruction.result in self._fused:
            return Form(f"({text})", guard=guard, term=term, is_inline=True)
        return Form(text, guard=guard, term=term)

    def _order_text(self, compare: Compare, left: str, right: str) -> str | None:
        """A test whether a comparison asks for the order of two objects, if such looks are watched."""
        if self.watched is None or not is_ordered(compare):
            return None
        is_apart = f"({left} ^ {right}) >> {SLOT_BITS}"
        return is_apart if isinstance(compare.type, PointerType) else self.address_text([compare.left, compare.right])

    def address_text(self, operands: Sequence[Operand]) -> str | None:
        """A test whether one of the numbers is an address, if such looks are watched."""
        watched = self.watched
        numbers = [number for number in operands if watched is not None and watched.may_be_address(number)]
        return " or ".join(dict.fromkeys(address_text(self.use(number)) for number in numbers)) or None

    def _cast(self, instruction: Cast) -> Form:
        source, target = instruction.source, instruction.target
        if not isinstance(source, SCALARS) or not isinstance(target, SCALARS):
            raise NoForm
        guard = self.address_text([instruction.value])
        before, after = layout.bits_of(source), layout.bits_of(target)
        value = self.use(instruction.value)
        match instruction.op:
            case "ptrtoint":
                if self.watched is not None and is_cut(instruction):
                    raise NoForm
                self.pointers[instruction.result] = value
                number = f"NUMBER({value}, memory)"
                text = number if after >= 64 else f"({number} & {(1 << after) - 1})"
                return Form(text, guard=guard, is_inline=True)
            case "inttoptr":
                bits = 8 * layout.store_size(target)
                number = value if before <= bits else f"{value} & {(1 << bits) - 1}"
                return Form(f"POINTER({number}, memory)", guard=guard)
            case "spell":
                spelled = [f"x = SPELLED({value}, memory)"]
                return Form("x", spelled, f"{guard} or x is None" if guard else "x is None")
            case "unspell":
                return Form(f"POINTER({value}, memory)", guard=guard)
            case "bitcast":
                return Form(value, guard=guard, term=value, is_inline=True)
            case "trunc" | "zext" | "addrspacecast":
                term = f"RESIZED({value}, {before}, {after})"
                if after >= before:
                    return Form(value, guard=guard, term=term, is_inline=True)
                return Form(f"{value} & {(1 << after) - 1}", guard=guard, term=term)
            case "sext":
                high, sign = (1 << after) - (1 << before), 1 << (before - 1)
                text = f"{value} | {high} if {value} & {sign} else {value}"
                return Form(text, guard=guard, term=f"SEXT({value}, {before}, {after})")
        converted = [f"x = {self._name_function(floats.compile_float_cast(instruction.op, source, target))}({value})"]
        return Form("x", converted, f"{guard} or x is None" if guard else "x is None")

    def _address(self, instruction: GetElementPointer) -> Form:
        if instruction.result in self._relative:
            raise NoForm
        if any(isinstance(index.type, VectorType) for index, _ in instruction.terms):
            raise NoForm
        guard = self.address_text([index for index, _ in instruction.terms])
        base = self.use(instruction.base)
        text = element_text(instruction, base, self.use)
        if text == base:
            return Form(base, guard=guard, is_inline=True)
        return Form(f"({text}) & {MASK_64}", guard=guard)

    def _load(self, instruction: Load, kind: Type) -> Form:
        if instruction.volatile or self._is_visible(instruction):
            raise NoForm
        size = layout.store_size(kind)
        if size == WORD != layout.bits_of(kind) // 8:
            raise NoForm
        pointer = self.use(instruction.pointer)
        lookup, outside = location_text(pointer, size)
        name, masked = f"r{instruction.result}", masked_text(size)
        spelled, is_spelled, slow = self._spelling(instruction, pointer, size)
        lines = [
            f"if {is_spelled}: {spelled}",
            f"{name} = {load_text(kind)}",
            *self._converted(instruction, kind, name),
        ]
        if self._carries and not isinstance(kind, PointerType):
            alternative = [f"if {masked}:", f" if {slow}: {spelled}"]
            alternative += [f" {name} = {term_text(kind)}", "else:", *[f" {line}" for line in lines]]
            return Form(name, lookup, f"{outside} or {unwritten_text(size)}", alternative)
        form = Form(name, lookup, f"{outside} or {masked}", lines)
        if self.watched is not None and not isinstance(kind, PointerType):
            is_number = self.watched.may_be_address(Register(instruction.result, kind))
            form.late = name_text(name, size, is_number)
        return form

    def _converted(self, instruction: Load, kind: Type, name: str) -> list[str]:
        """The lines that convert a loaded word as its type demands, and notice if a number was stored as a pointer."""
        lines, use = converted_text(kind, name), self._pieces.of_word(instruction)
        if use is None:
            return lines
        self.namespace[constant := f"USE{instruction.result}"] = use
        return [f"if {name} >= {LOWEST_ADDRESS}: {name} = READ_WORD(step, {name}, {constant})"]

    def _spelling(self, instruction: Load, pointer: str, size: int) -> tuple[str, str, str]:
        """The statement that spells out pointers of which a load reads a part, and when it is needed: for concrete
        bytes, and for others.
        """
        use = self._pieces.of(instruction)
        if use is None:
            spelled = f"o = SPELL_OUT(step, {pointer} >> {SLOT_BITS}, f, {size})"
            return spelled, piece_text(size), "f & 7" if size == WORD else "o.has_names"
        self.namespace[name := f"USE{instruction.result}"] = use
        earlier = use.earlier
        compared = "" if earlier is None else f", {self.pass_on(Register(earlier.result, earlier.type))}"
        spelled = f"o = SPELL_AND_LOOK(step, {pointer} >> {SLOT_BITS}, f, {size}, {name}{compared})"
        awaited = "" if earlier is None else " or step.moving"
        is_spelled = f"o.has_names and (o.pieces or {named_text(size)})"
        return spelled, f"{is_spelled}{awaited}", f"o.has_names{awaited}"

    def _taking_along(self, store: Store, pointer: str) -> list[str]:
        """The statement that takes along which bytes of an address a store copies."""
        use = self._pieces.source(store)
        if use is None:
            return []
        self.namespace[name := f"USE{use.load.result}"] = use
        return [f"if step.moving: PUT_COPIED(step, {pointer}, {name})"]

    def _store(self, instruction: Store, kind: Type) -> Form:
        if self._is_visible(instruction):
            raise NoForm
        size, width = layout.store_size(kind), layout.bits_of(kind)
        value = self.pass_on(instruction.value) if self._carries else self.use(instruction.value)
        pointer = self.use(instruction.pointer)
        lookup, outside = location_text(pointer, size)
        is_piece = "f & 7" if size == WORD else piece_text(size)
        is_slow = f"o.owner is not token or {masked_text(size)} or {is_piece}"
        taken = self._taking_along(instruction, pointer)
        if self.watched is not None:
            return Form(None, lookup, f"{outside} or {is_slow}", [store_text(kind, value), *taken])
        guard = f"{outside} or o.read_only"
        if self._carries and not value.isdigit():
            guard += f" or {value}.__class__ is not int and {value}.__class__ is not TERM"
            is_slow = f"{value}.__class__ is not int or {is_slow}"
        whole = value if width == 8 * size else f"RESIZED({value}, {width}, {8 * size})"
        write = f"PUT(step, {pointer} >> {SLOT_BITS}, f, {size}, {whole})"
        return Form(None, lookup, guard, [f"if {is_slow}: {write}", f"else: {store_text(kind, value)}", *taken])
