"""Reads the text of one defined function into blocks of instructions; the heads of functions, and their calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from unfork.program.llvm.debug_expression import place
from unfork.program.llvm.debug_info import DebugInfo
from unfork.program.llvm.instruction_reader import InstructionReader
from unfork.program.llvm.ir import (
    Binary,
    Call,
    GlobalAddress,
    Instruction,
    Invoked,
    MetadataOperand,
    Operand,
    Phi,
    Select,
    UnknownInstruction,
)
from unfork.program.llvm.lexer import ReadError, TokenCursor, cursor_over, plain_name
from unfork.program.llvm.module import Block, DebugRecord, Function
from unfork.program.llvm.narrow_pointers import with_numbers
from unfork.program.llvm.opaque import CHOICE, PLAIN, RESTORED
from unfork.program.llvm.operand_reader import OperandReader
from unfork.program.llvm.thread_locals import ADDRESS
from unfork.program.llvm.type_reader import TypeReader
from unfork.program.llvm.types import METADATA, FunctionType, Position, Type
from unfork.program.llvm.uses import with_captures

# Words that begin an operand; other words before an operand are parameter attributes.
CONSTANT_WORDS = frozenset(
    "true false null undef poison zeroinitializer splat blockaddress dso_local_equivalent no_cfi asm none".split()
    + "getelementptr add sub xor trunc ptrtoint ptrtoaddr inttoptr bitcast addrspacecast".split()
    + "extractelement insertelement shufflevector inf nan".split()
)
VALUE_STARTS = frozenset("%@-0123456789[{<c!")
NUMBERED_ATTRIBUTES = frozenset(("align", "cc"))


def skip_attributes(types: TypeReader, cursor: TokenCursor) -> None:
    """Step over linkage, calling convention, flags and result attributes, up to a type."""
    while not types.starts_here(cursor):
        if not cursor.take():
            raise ReadError("no type")
        if cursor.tokens[cursor.at] == "(":
            cursor.skip_group()
        elif cursor.tokens[cursor.at - 1] in NUMBERED_ATTRIBUTES:
            cursor.at += 1


def read_parameter_attributes(types: TypeReader, cursor: TokenCursor) -> tuple[Type | None, int | None]:
    """The attributes between a parameter's type and its value: the type of byval, if present, and the bytes
    guaranteed behind a pointer, 0 if it is merely not null.
    """
    byval: Type | None = None
    room: int | None = None
    while True:
        token = cursor.tokens[cursor.at]
        if token in (",", ")") or token in CONSTANT_WORDS or (token[:1] in VALUE_STARTS and not token.isidentifier()):
            return byval, room
        if token == "c" or token[:2] == 'c"' or not token:
            return byval, room
        cursor.at += 1
        if token == "nonnull":
            room = room or 0
        elif token == "dereferenceable":
            room = int(cursor.tokens[cursor.at + 1])
        if token == "byval":
            cursor.expect("(")
            byval = types.read(cursor)
            cursor.expect(")")
        elif token == "align" and cursor.tokens[cursor.at] != "(":
            cursor.at += 1
        elif cursor.tokens[cursor.at] == "(":
            cursor.skip_group()


class CallReader:
    """Calls of one function. ``returns_twice`` holds attribute groups (``#3``) and functions (``@name``)."""

    def __init__(self, types: TypeReader, operands: OperandReader, returns_twice: frozenset[str]) -> None:
        self.types = types
        self.operands = operands
        self.returns_twice = returns_twice

    def call(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """The call after its opening word; calls that stand for divisions and choices become these again."""
        skip_attributes(self.types, cursor)
        type = self.types.read(cursor)
        name = cursor.tokens[cursor.at]
        if name.startswith("@unfork."):
            restored = RESTORED.get(name[: name.rfind(".")])
            if name.startswith(f"@{CHOICE}"):
                cursor.at += 1
                condition, then, otherwise = self.arguments(cursor)[0]
                return Select(result, type, condition, then, otherwise, position)
            if restored is not None:
                cursor.at += 1
                left, right = self.arguments(cursor)[0]
                return Binary(result, restored, type, left, right, (), position)
        callee = self.operands.read(cursor, self.types.pointer)
        arguments, byval = self.variable(cursor) if name.startswith(f"@{ADDRESS}") else self.arguments(cursor)
        if not isinstance(type, FunctionType):
            type = FunctionType(type, tuple(argument.type for argument in arguments), False)
        twice = name in self.returns_twice
        if self.returns_twice and not twice:
            tokens = cursor.tokens
            twice = any(tokens[at] in self.returns_twice for at in range(cursor.at, len(tokens)))
        return Call(result, type, callee, arguments, byval, twice, position, op == "musttail")

    def arguments(self, cursor: TokenCursor) -> tuple[tuple[Operand, ...], tuple[Type | None, ...]]:
        """The arguments in parentheses, and for each its byval type or None."""
        cursor.expect("(")
        arguments: list[Operand] = []
        byval: list[Type | None] = []
        types, operands, tokens = self.types, self.operands, cursor.tokens
        while not cursor.accept(")"):
            type = types.read(cursor)
            if type == METADATA:
                arguments.append(self.metadata(cursor))
                byval.append(None)
            else:
                byval.append(None if tokens[cursor.at][:1] in "%@" else read_parameter_attributes(types, cursor)[0])
                arguments.append(operands.read(cursor, type))
            cursor.accept(",")
        return tuple(arguments), tuple(byval)

    def variable(self, cursor: TokenCursor) -> tuple[tuple[Operand, ...], tuple[Type | None, ...]]:
        """The argument of llvm.threadlocal.address: only here the name of a thread-local variable is not its
        address.

        Raises ReadError for anything but a variable's name.
        """
        while cursor.tokens[cursor.at][:1] != "@":
            if cursor.take() in ("", ")"):
                raise ReadError("no variable")
        return (GlobalAddress(plain_name(cursor.take())),), (None,)

    def metadata(self, cursor: TokenCursor) -> MetadataOperand:
        """The metadata argument at the cursor, as text."""
        start = cursor.at
        while cursor.tokens[cursor.at] not in (",", ")"):
            if cursor.tokens[cursor.at] in ("(", "{", "[", "<"):
                cursor.skip_group()
            else:
                cursor.at += 1
        return MetadataOperand(" ".join(cursor.tokens[start : cursor.at]))


RESULT = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = ', re.M)
DEBUG_LOCATION = re.compile(r", !dbg (!\d+)")
RECORDS = frozenset(("#dbg_value", "#dbg_declare", "#dbg_assign"))
"""The debug records about variables."""
LAST_NODE = re.compile(r"!\d+")
LABEL = re.compile(r'([-\w.$]+|"[^"]*"):')
CALL_WORDS = frozenset(("tail", "musttail", "notail", "call", "invoke"))
INVOKED = re.compile(r' to label (%(?:[-\w.$]+|"[^"]*")) unwind label (%(?:[-\w.$]+|"[^"]*"))')
"""The end of an invoke: its successors."""


class Signature:
    """The head of a definition or declaration."""

    __slots__ = ("byval", "name", "parameters", "room", "tail", "type")

    def __init__(self, types: TypeReader, text: str) -> None:
        cursor = cursor_over(text)
        cursor.at = 1
        skip_attributes(types, cursor)
        result = types.read(cursor)
        self.name = plain_name(cursor.take())
        self.parameters: list[str] = []
        kinds: list[Type] = []
        byval: list[Type | None] = []
        room: list[int | None] = []
        variadic = False
        cursor.expect("(")
        while not cursor.accept(")"):
            if cursor.accept("..."):
                variadic = True
                continue
            kinds.append(types.read(cursor))
            copied, least = read_parameter_attributes(types, cursor)
            byval.append(copied)
            room.append(least)
            # A declaration names no parameter; an unnamed one of a definition counts.
            named = cursor.tokens[cursor.at][:1] == "%"
            self.parameters.append(cursor.take() if named else f"%{len(self.parameters)}")
            cursor.accept(",")
        self.byval = tuple(byval)
        self.room = tuple(room)
        self.type = FunctionType(result, tuple(kinds), variadic)
        self.tail = cursor.tokens[cursor.at :]


class FunctionReader:
    """Reads the functions of one module with these ``thread_local`` variables, with their sigil."""

    def __init__(
        self, types: TypeReader, debug: DebugInfo, returns_twice: frozenset[str], thread_local: Collection[str]
    ) -> None:
        self.types = types
        self.debug = debug
        self.returns_twice = returns_twice
        self.thread_local = thread_local

    def read(self, text: str) -> Function:
        """The function whose definition, from ``define`` to the closing brace, is ``text``."""
        head, _, body = text.partition("\n")
        if self.types.is_narrow:
            body = with_numbers(body)
        signature = Signature(self.types, head)
        names = signature.parameters + RESULT.findall(body)
        indices = {name: index for index, name in enumerate(names)}
        lines = body.split("\n")
        labels = block_labels(lines, signature.parameters)
        operands = OperandReader(self.types, indices, self.thread_local)
        reader = InstructionReader(self.types, operands, {label: index for index, label in enumerate(labels)})
        calls = CallReader(self.types, operands, self.returns_twice)
        reader.readers.update(dict.fromkeys(CALL_WORDS, calls.call))
        blocks = BlockReader(reader, self.debug, indices).read(lines, labels)
        own = tuple(operands.own.instructions)
        if own:
            blocks[0] = _beginning_with(own, blocks[0])
        attachment = re.search(r"!dbg (!\d+)", head)
        position = self.debug.declaration(attachment[1]) if attachment else None
        source_name = self.debug.source_name(attachment[1]) if attachment else ""
        return Function(
            signature.name,
            signature.type,
            signature.byval,
            len(names) + len(own),
            with_captures(blocks),
            position,
            source_name or signature.name,
            attachment is not None and self.debug.is_as_written(attachment[1]),
            parameter_room=signature.room,
            is_static=head.startswith("define internal "),
            own_variables=len(own),
        )


def _beginning_with(instructions: tuple[Instruction, ...], entry: Block) -> Block:
    records = [replace(record, index=record.index + len(instructions)) for record in entry.debug]
    return replace(entry, body=(*instructions, *entry.body), debug=tuple(records))


def block_labels(lines: list[str], parameters: list[str]) -> list[str]:
    """The labels in order, with their %. An unlabelled entry takes the number after the unnamed parameters."""
    labels = []
    first = next((line for line in lines if line and line[0] != ";"), "")
    if first[:1] == " ":
        labels.append(f"%{sum(name[1:].isdigit() for name in parameters)}")
    for line in lines:
        if line and line[0] not in " ;}":
            match = LABEL.match(line)
            if match:
                labels.append("%" + match[1])
    return labels


class BlockReader:
    """Groups the lines of a function into instructions and blocks."""

    def __init__(self, reader: InstructionReader, debug: DebugInfo, indices: Mapping[str, int]) -> None:
        self.reader = reader
        self.debug = debug
        self.indices = indices

    def read(self, lines: list[str], labels: list[str]) -> list[Block]:
        """The blocks in the lines of a function's body; ``labels`` has their names in order."""
        blocks: list[Block] = []
        phis: list[Phi] = []
        body: list[Instruction] = []
        records: list[DebugRecord] = []

        def finish() -> None:
            index = len(blocks)
            blocks.append(Block(index, plain_name(labels[index]), tuple(phis), tuple(body), tuple(records)))
            phis.clear()
            body.clear()
            records.clear()

        at = 0
        count = len(lines)
        while at < count:
            line = lines[at]
            at += 1
            if line[:2] != "  ":
                if line and line[0] not in ";}" and body:
                    finish()
                continue
            if line[2] == " ":
                if line.startswith("    #dbg_"):
                    record = self.record(line, len(body))
                    if record is not None:
                        records.append(record)
                continue
            if continues(line, lines, at):
                line, at = join_lines(lines, at - 1)
            instruction = self.instruction(line)
            if isinstance(instruction, Phi):
                phis.append(instruction)
            else:
                body.append(instruction)
            if (invoked := INVOKED.search(line)) is not None:
                target, landing = [self.reader.block(label) for label in invoked.groups()]
                body.append(Invoked(-1, target, landing, instruction.position))
        finish()
        return blocks

    def instruction(self, line: str) -> Instruction:
        """One instruction; an unreadable one becomes unknown."""
        position: Position | None = None
        text = line
        cut = line.find(", !")
        if cut >= 0:
            if '"' in line:
                cut = line.rfind(", !dbg ")
            text = line[:cut] if cut >= 0 else line
            if PLAIN in line:
                text = text.replace(" volatile ", " ", 1)
            location = DEBUG_LOCATION.search(line, max(cut, 0))
            if location:
                position = self.debug.position(location[1])
        cursor = cursor_over(text)
        tokens = cursor.tokens
        result = -1
        if tokens[1] == "=":
            result = self.indices.get(tokens[0], -1)
            cursor.at = 2
        op = tokens[cursor.at]
        cursor.at += 1
        read = self.reader.readers.get(op)
        if read is None:
            return UnknownInstruction(result, text.strip(), position)
        try:
            return read(cursor, op, result, position)
        except (ReadError, KeyError, ValueError, IndexError):
            return UnknownInstruction(result, text.strip(), position)

    def record(self, line: str, index: int) -> DebugRecord | None:
        """The debug record of a line, if it is about a variable.

        Whether an assignment (#dbg_assign) has reached memory is unknown, so the variable is nowhere after it.
        """
        cursor = cursor_over(line)
        kind, tokens = cursor.take(), cursor.tokens
        if kind not in RECORDS or "!DIExpression" not in tokens:
            return None
        at = tokens.index("!DIExpression")
        variable = self.debug.variable(tokens[at - 2], LAST_NODE.findall(line)[-1])
        if variable is None:
            return None
        cursor.expect("(")
        operands = () if kind == "#dbg_assign" else self.record_operands(cursor)
        cursor.at = at + 1
        cursor.skip_group()
        words = [token for token in tokens[at + 2 : cursor.at - 1] if token != ","]
        where = place(operands, words, is_address=kind == "#dbg_declare")
        return DebugRecord(index, variable, where.operand, where.indirect, where.part)

    def record_operands(self, cursor: TokenCursor) -> Sequence[Operand]:
        """The operands of a debug record; none if the variable is nowhere, or no operand has it."""
        operands: list[Operand] = []
        try:
            is_list = cursor.accept("!DIArgList")
            if is_list:
                cursor.expect("(")
            while not operands or (is_list and cursor.accept(",")):
                operands.append(self.reader.operands.typed(cursor))
        except (ReadError, KeyError, ValueError, IndexError):
            return ()
        return operands


def continues(line: str, lines: list[str], at: int) -> bool:
    """Whether an instruction continues on the next lines (switch, invoke, landingpad, callbr)."""
    return line[-1] == "[" or (at < len(lines) and lines[at][:10] == "          ")


def join_lines(lines: list[str], at: int) -> tuple[str, int]:
    """The instruction that begins at line ``at`` on one line, and the index of the line after it."""
    parts = [lines[at]]
    at += 1
    if parts[0][-1] == "[":
        while not lines[at].startswith("  ]"):
            parts.append(lines[at])
            at += 1
        parts.append(lines[at])
        at += 1
    while at < len(lines) and lines[at][:10] == "          ":
        parts.append(lines[at])
        at += 1
    return " ".join(parts), at
