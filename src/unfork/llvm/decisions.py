"""Makes branches of the decisions that clang leaves to values, as gcc has them.

At -O0, clang decides about all operands of a stored ``a && b`` by branches but the last, whose value it keeps; so it
does in the heads of loops. And a choice ``c ? x : y`` between constants is a select. Here, each such value decides a
branch of its own, which leads to the same place with the same values. The blocks that are made stand behind the one
that they were made of, and their labels begin with MADE.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from unfork.llvm.lexer import ReadError, cursor_over
from unfork.llvm.module import Function
from unfork.llvm.opaque import SELECT, operands_apart, written
from unfork.llvm.type_reader import TypeReader
from unfork.llvm.types import FloatType, IntType, PointerType

MADE = "unfork.decision."
_TAIL = "end"
_PHI = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = phi (.*?) (\[ .* \])((?:, !.*)?)$')
_ARM = re.compile(r'\[ (.*?), (%(?:[-\w.$]+|"[^"]*")) \](?:, |$)')
_GOES_ON = re.compile(r'^  br label (%(?:[-\w.$]+|"[^"]*"))(?:, !.*)?$')
_NEGATION = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = xor i1 (%(?:[-\w.$]+|"[^"]*")), true\b')
_CONDITION = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = [if]cmp ')
_WIDENING = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = [sz]ext i(?:1|32) (%(?:[-\w.$]+|"[^"]*")) to i(?:32|64)\b')
_CALCULATION = re.compile(r"^  \S+ = (add|sub|mul|shl|or) (?:n[su]w |disjoint )*i\d+ ([^ ,]+), ([^ ,]+)")
_FLOAT = re.compile(r"^  \S+ = [su]itofp i32 (%[^ ,]+) to ")
_INDEX = re.compile(r"^  \S+ = getelementptr (?!(?:\w+ )*(?:i8,|\[))[^,]+, ptr [^ ,]+, i64 (%[^ ,]+)(?:, !|$)")
_BITS = {"0": "false", "1": "true"}


def is_made(label: str) -> bool:
    """Whether a block was made here."""
    return label.startswith(MADE)


def ends_of_blocks(function: Function) -> list[int]:
    """For each block of the compiler's, in order, the block that ends as it did."""
    ends: list[int] = []
    for block in function.blocks:
        if not is_made(block.label):
            ends.append(block.index)
        elif block.label.endswith(f".{_TAIL}"):
            ends[-1] = block.index
    return ends


class _Part:
    """A block under way: its label, with %, and its lines."""

    __slots__ = ("label", "lines")

    def __init__(self, label: str) -> None:
        self.label = label
        self.lines: list[str] = []


class Decisions:
    """Rewrites one function."""

    def __init__(self, types: TypeReader) -> None:
        self._types = types
        self._count = 0

    def rewrite(self, lines: list[str], labels: list[str]) -> list[str]:
        """The lines of a function's body, to the closing brace; ``labels`` has those of its blocks, with %."""
        truths = _Truths(lines)
        blocks, ends = self._in_parts(lines, labels, truths)
        decided = self._by_operands(blocks, truths)
        out: list[str] = []
        for block in blocks:
            for part in block:
                out += [f"{part.label[1:]}:"] if part is not blocks[0][0] or lines[0][:1] != " " else []
                out += [self._renamed(line, ends, decided, block[0].label) for line in part.lines]
        return [*out, "}"]

    def _in_parts(
        self, lines: list[str], labels: list[str], truths: _Truths
    ) -> tuple[list[list[_Part]], dict[str, str]]:
        """The blocks, each in the parts that decisions cut it into, and the last part's label by that of the first."""
        blocks: list[list[_Part]] = []
        names = iter(labels)
        for line in lines:
            if line[:1] == "}":
                break
            if line[:1] in ("", ";"):
                continue
            if line[:1] != " " or not blocks:
                blocks.append([_Part(next(names))])
            if line[:1] != " ":
                continue
            name = f"%{MADE}{self._count + 1}."
            condition, result = self._choice(line, name) or (truths.calculated_with(line), line)
            if condition is None:
                blocks[-1][-1].lines.append(line)
                continue
            self._count += 1
            blocks[-1][-1].lines.append(f"  br i1 {condition}, label {name}then, label {name}else")
            for label in ("then", "else"):
                arm = _Part(name + label)
                arm.lines.append(f"  br label {name}{_TAIL}")
                blocks[-1].append(arm)
            blocks[-1].append(_Part(name + _TAIL))
            blocks[-1][-1].lines.append(result)
        return blocks, {block[0].label: block[-1].label for block in blocks}

    def _choice(self, line: str, name: str) -> tuple[str, str] | None:
        """The condition of a select between scalars, and the phi in its place, for arms whose labels begin so."""
        select = SELECT.match(line) if " = select " in line else None
        if select is None:
            return None
        condition, values = operands_apart(select[2])
        try:
            type = self._types.read(cursor_over(values))
        except ReadError:
            return None
        if not isinstance(type, IntType | FloatType | PointerType) or not condition.startswith("i1 %"):
            return None
        word = written(type)
        then, otherwise = (value[len(word) + 1 :] for value in operands_apart(values))
        phi = f"  {select[1]} = phi {word} [ {then}, {name}then ], [ {otherwise}, {name}else ]{select[3]}"
        return condition[3:], phi

    def _by_operands(
        self, blocks: list[list[_Part]], truths: _Truths
    ) -> dict[tuple[str, str], tuple[str, tuple[str, str]]]:
        """Branch on each last operand that goes to the phi of a && or a ||.

        Returns, by the labels of the block that decides and of the one with the phi, the operand and the new arms.
        """
        origins = {block[0].label: block for block in blocks}
        decided: dict[tuple[str, str], tuple[str, tuple[str, str]]] = {}
        for block in blocks:
            here = block[0].label
            for line in block[0].lines:
                operand = truths.last_operand(line)
                if operand is None or operand.value in truths.decided or (operand.label, here) in decided:
                    continue
                origin = origins[operand.label]
                end = origin[-1]
                goes_on = _GOES_ON.match(end.lines[-1])
                if goes_on is None or goes_on[1] != here:
                    continue
                self._count += 1
                name = f"%{MADE}{self._count}."
                arms = (f"{name}then", f"{name}else")
                end.lines[-1] = f"  br i1 {operand.value}, label {arms[0]}, label {arms[1]}"
                for each in arms:
                    origin.append(_Part(each))
                    origin[-1].lines.append(f"  br label {here}")
                decided[operand.label, here] = (operand.value, arms)
        return decided

    def _renamed(
        self,
        line: str,
        ends: dict[str, str],
        decided: dict[tuple[str, str], tuple[str, tuple[str, str]]],
        here: str,
    ) -> str:
        """A line; a phi names the blocks that its values come from now."""
        phi = _PHI.match(line) if " = phi " in line else None
        if phi is None:
            return line
        arms = []
        for value, label in _ARM.findall(phi[3]):
            if (label, here) not in decided:
                arms.append((value, ends.get(label, label)))
                continue
            operand, (then, otherwise) = decided[label, here]
            is_decided = phi[2] == "i1" and value == operand
            arms += [("true" if is_decided else value, then), ("false" if is_decided else value, otherwise)]
        return f"  {phi[1]} = phi {phi[2]} {', '.join(f'[ {value}, {label} ]' for value, label in arms)}{phi[4]}"


class _Operand(NamedTuple):
    """A value (1 bit) that decides, and the label of the block that it comes from."""

    value: str
    label: str


class _Truths:
    """Which values of a function are those of conditions. ``decided`` are the ones that other branches decide."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.decided: set[str] = set()
        self._conditions: set[str] = set()
        self._widened: dict[str, str] = {}
        for line in lines:
            if (condition := _CONDITION.match(line)) is not None:
                self._conditions.add(condition[1])
            elif " = phi i1 " in line and self.last_operand(line) is not None:
                self.decided.add(line[2 : line.index(" = ")])
            elif (negation := _NEGATION.match(line)) is not None:
                for known in (self.decided, self._conditions):
                    if negation[2] in known:
                        known.add(negation[1])
            elif (widening := _WIDENING.match(line)) is not None:
                if widening[2] in self._conditions:
                    self._widened[widening[1]] = widening[2]
                elif widening[2] in self._widened:
                    self._widened[widening[1]] = self._widened[widening[2]]

    def calculated_with(self, line: str) -> str | None:
        """The condition whose value, 0 or 1, an instruction calculates with: gcc chooses between two constants then.

        So it does where the value becomes a number with a floating point, or is scaled as an index.
        """
        calculation = _CALCULATION.match(line)
        if calculation is not None:
            left, right = calculation[2], calculation[3]
            if left == "0":
                return None
            constant, value = (left, right) if left[:1] != "%" else (right, left)
            return self._widened.get(value) if constant[:1] != "%" else None
        use = _FLOAT.match(line) or _INDEX.match(line)
        return None if use is None else self._widened.get(use[1])

    def last_operand(self, line: str) -> _Operand | None:
        """The last operand of the && or || whose value a phi is, also written as ``c ? x > y : 0``."""
        phi = _PHI.match(line) if " = phi i1 " in line or " = phi i32 " in line else None
        if phi is None:
            return None
        arms = _ARM.findall(phi[3])
        if phi[2] == "i32":
            arms = [(_BITS.get(value) or self._widened.get(value, ""), label) for value, label in arms]
        known = {value for value, _ in arms if value in _BITS.values()}
        others = [_Operand(value, label) for value, label in arms if value not in _BITS.values()]
        return others[0] if len(known) == 1 and len(others) == 1 and others[0].value[:1] == "%" else None
