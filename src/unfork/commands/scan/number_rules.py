"""The rules about numbers and texts of the input: which of their values the code tests."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from unfork.commands.scan.failing_input import (
    leaves_room,
    may_begin_before,
    needed_characters,
    offsets_beside,
    symbols_of,
)
from unfork.commands.scan.fault_case import FaultCase
from unfork.commands.scan.judgement import (
    CERTAIN,
    CONDITIONAL,
    LIKELY,
    Demand,
    Grounds,
    LongText,
    NotNullUnless,
    NumbersAllow,
)
from unfork.commands.scan.null_tests import compares_pointers
from unfork.commands.scan.number_tests import has_limit, is_tested, tested_beside_count
from unfork.commands.scan.requirements import demanded
from unfork.engine.step.step import UNINITIALISED
from unfork.logic.terms import build
from unfork.logic.terms.term import Term
from unfork.program.facts.library_calls import TEXTS, is_of_library, named_call
from unfork.program.facts.makers import makers
from unfork.program.facts.opened_files import functions_that_read_descriptors
from unfork.program.facts.size_names import is_named_size
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType
from unfork.program.llvm.ir import Binary, Bits, GetElementPointer, Operand, Register
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import pointer_type

_LARGEST_OBJECT = 1 << 47
"""Bytes of the addresses that a process on x86-64 has."""
_WIDTH, _LAST = 32, 1 << 12
"""The bits of sizes whose last values callers rarely pass, and how many these are. Set by five findings of one list."""
_LONGEST_STEP = 1 << 12
"""Of a loop's counter: larger constants are added to numbers that wrap."""


class NeedsHugeObject:
    """A size or an offset is more than half of all addresses, or a size is more than a process has."""

    name, certainty = "huge-object", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        numbers = case.numbers
        width = 8 * pointer_type(is_narrow=case.scanned.program.is_narrow).size
        half, made = (1 << width - 1) - 1, _size_of_block(case)
        near = [
            build.ule(each, min(half, _LARGEST_OBJECT) if each in made or _counts(case, each) else half, width)
            for each in numbers
            if each.width == width and not numbers[each].is_signed
        ]
        if case.ask.where((*case.failing.state.path.constraints(), *near)) is not None:
            return None
        return Grounds("it needs a size or an offset that no object has")


def _size_of_block(case: FaultCase) -> frozenset[Term]:
    """The numbers from which the size of the fault's own block is calculated."""
    thing, objects = case.fault.thing, case.failing.state.memory.objects.values()
    if thing is None or thing.line is None:
        return frozenset()
    return frozenset(symbols_of(each.size for each in objects if each.site and each.site.line == thing.line))


def _counts(case: FaultCase, symbol: Term) -> bool:
    """Whether a number is an argument named as a size behind a pointer: it says how much there is."""
    number, arguments = case.numbers[symbol], case.lazy.arguments
    follows = any(isinstance(before.type, Pointer) and each.name == number.path for before, each in pairwise(arguments))
    return number.is_argument and (follows or symbol in case.stated_sizes) and is_named_size(number.path)


class NeedsLargestSize:
    """A size is one of the last of 32 bits, where sums wrap, or another number more than an int holds."""

    name, certainty = "largest-size", LIKELY

    def grounds(self, case: FaultCase) -> Grounds | None:
        path = case.failing.state.path.constraints()
        sizes = [each for each, number in case.numbers.items() if number.is_argument and not number.is_signed]
        for each in sizes:
            name, is_size = case.numbers[each].path, is_named_size(case.numbers[each].path)
            smaller = (1 << _WIDTH) - 1 - _LAST if is_size else (1 << _WIDTH - 1) - 1
            if each.width == _WIDTH and case.ask.where((*path, build.ule(each, smaller, _WIDTH))) is None:
                why = f"one of the largest values of {name}, for which a sum wraps"
                return Grounds(f"it needs {why if is_size else f'a value of {name} that no int holds'}")
        return None


class NeedsTextWithoutSize:
    """Code that asks whether a size is 0, and then for the end of a text, takes 0 for a size that is not given."""

    name, certainty = "text-without-size", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        within, tests = case.within, case.ask.where(case.tests)
        if within is None or not within.is_stated or not _calls_for_text(case):
            return None
        for each in symbols_of([within.length]) & case.numbers.keys():
            is_signed, width = case.numbers[each].is_signed, each.width
            is_some = build.slt(0, each, width) if is_signed else build.ne(each, 0, width)
            if case.ask.under(tests, is_some) is None:
                path = case.numbers[each].path
                reason = f"it needs {within.path} to be no text where {path} is 0, as the code takes it for one"
                return Grounds(reason, f"{within.path} is a text where {path} is 0", about=(path,))
        return None


def _calls_for_text(case: FaultCase) -> bool:
    """Whether the fault is in a function of the C library that reads a text up to its end."""
    frame = case.state.frames[-1]
    called = named_call(frame.function.blocks[frame.block].body[frame.index - 1])
    return called is not None and called.name in TEXTS and is_of_library(case.scanned.program, called.name)


class FailsBetweenSteps:
    """It never fails for whole steps of a loop. One that takes 16 bytes in a turn expects as many of them."""

    name, certainty = "between-steps", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        constraints = case.failing.state.path.constraints()
        for each in case.relevant_numbers:
            number = case.numbers[each]
            for step in _steps([frame.function for frame in case.state.frames], _stride(case, each)):
                is_whole = build.eq(build.urem(each, step, each.width), 0, each.width)
                if step < 1 << each.width and case.ask.where((*constraints, is_whole)) is None:
                    reason = f"it needs {number.path} to be no multiple of {step}, by which a loop goes on"
                    return Grounds(reason, f"{number.path} is a multiple of {step}", about=(number.path,))
        return None


def _stride(case: FaultCase, symbol: Term) -> int:
    """The bytes of each element that a number counts, where it says how far apart two pointers are; otherwise 0."""
    types = case.scanned.program.c_types
    for argument in case.failing.state.lazy.arguments:
        if isinstance(argument.type, Pointer) and isinstance(argument.value, Term) and symbol in argument.value.symbols:
            cells = types.cells(types.target(argument.type))
            return 0 if cells is None else cells.size
    return 0


def _steps(functions: Sequence[Function], stride: int) -> list[int]:
    """By how much the counters of loops in some functions grow in a turn, if by more than one; or how many elements of
    ``stride`` bytes their pointers go on.
    """
    found: dict[int, None] = {}
    for function in functions:
        counters = {phi.result: [value for value, _ in phi.incoming] for block in function.blocks for phi in block.phis}
        for each in function.instructions():
            match each:
                case Binary(op="add", left=Register(index=index), right=Bits(value=step)) if step <= _LONGEST_STEP:
                    pass
                case GetElementPointer(base=Register(index=index), offset=offset, terms=()) if (
                    stride and offset <= _LONGEST_STEP and offset % stride == 0
                ):
                    step = offset // stride
                case _:
                    continue
            if step > 1 and any(_is_result(each, value) for value in counters.get(index, ())):
                found[step] = None
    return [*found]


def _is_result(instruction: Binary | GetElementPointer, operand: Operand) -> bool:
    return isinstance(operand, Register) and operand.index == instruction.result


class FailsInFront:
    """The access lies in front of where a pointer leads, which may be the middle of an array."""

    name, certainty = "in-front", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        within = case.within
        if within is None or not (_is_in_front(case) or _is_offset_negative(case)):
            return None
        return Grounds(f"it needs {within.path} to lead to the beginning of an object")


def _is_in_front(case: FaultCase) -> bool:
    within, failing = case.within, case.failing
    if within is None or not case.fault.is_in_front:
        return False
    return case.fault.access is None or may_begin_before(within, failing.state.lazy, failing.required)


def _is_offset_negative(case: FaultCase) -> bool:
    failing = case.failing
    return case.within is not None and any(
        case.ask.under(failing.state.path, build.sle(0, offset, offset.width)) is None
        for offset in offsets_beside(case.within, failing.required)
    )


class WritesBehindText:
    """The access writes after the end of a text. Callers know how large its buffer is."""

    name, certainty = "room-after-text", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        access = case.fault.access
        if case.within is None or not case.within.is_text or access is None or not access.is_write:
            return None
        return Grounds(f"it needs no room behind the text {case.within.path}")


class ComparesWithEndOfText:
    """The code compares pointers on the way. One of them may say where the text ends."""

    name, certainty = "end-of-text", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.within is None or not case.within.is_text:
            return None
        if not case.is_behind or not compares_pointers(case.siblings.places):
            return None
        return Grounds(f"it needs the text {case.within.path} to end before another pointer says so")


class NeedsBrokenFormat:
    """It lies behind the text in front of variable arguments, or of a list of them: a format, which callers write."""

    name, certainty = "broken-format", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        path, within = _format_of(case.scanned.program.c_types, case.scanned.function.name), case.within
        if path is None:
            return None
        if within is not None and within.is_text and case.is_behind and within.path == path:
            return Grounds(f"it needs a format {path} that ends early", f"{path} is a whole format")
        is_in_library = case.state.frames[-1].function.name in case.scanned.program.library
        if is_in_library and any(each.is_text and each.path == path for each in case.lazy.objects):
            return Grounds(f"it needs a format {path} that the library cannot read", f"{path} is a whole format")
        return None


def _format_of(types: CTypes, function: str) -> str | None:
    """The parameter in front of variable arguments, or of a list of them; None if a function has none."""
    prototype = types.prototype(function)
    if prototype is None:
        return None
    parameters = prototype.parameters
    if prototype.is_variadic:
        return parameters[-1].name if parameters else None
    return next((before.name for before, each in pairwise(parameters) if _leads_to_list(types, each.type)), None)


def _leads_to_list(types: CTypes, kind: CType) -> bool:
    """Whether a type is a list of variable arguments, or leads to one."""
    while isinstance(kind, Pointer | Array):
        kind = types.target(kind) if isinstance(kind, Pointer) else kind.element
    return isinstance(kind, RecordType) and kind.name.endswith("__va_list_tag")


class NeedsShortText:
    """A text is shorter than the code takes for granted, and the code compares none of its characters with NUL."""

    name, certainty = "short-text", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.is_own or (case.fault.kind == UNINITIALISED and not case.scanned.is_called):
            return None  # what the function does with an object of its own has to be right for each text
        path, within = case.failing.state.path, case.within
        for text, characters in _texts(case):
            if case.is_behind and (within is None or within.path != text):
                continue  # a shorter text would not lead so far
            looks = [each for each in (*case.siblings.decided, *case.siblings.tested) if characters & each.symbols]
            if any(_compares_with_nul(case, each, characters) for each in case.ask.known(path, looks)):
                continue
            others = [each for each in case.fault_conditions if not characters & each.symbols]
            requires = case.excluding(others)
            demand: Demand | None = demanded(others) if requires else None
            if not requires and within is not None and within.path == text:
                least = needed_characters(case.fault)
                requires = "" if least is None else f"strlen({text}) >= {least}"
                demand = None if least is None else LongText(text, least)
            reason = f"it needs a text {text} that is shorter than the code takes for granted"
            plain = "" if case.fault.kind == "null-dereference" else f"{text} is not so short"
            return Grounds(reason, requires or plain, requires, demand, plain)
        return None


class NeedsUntestedNumber:
    """A number of the caller's has a value that no test of the code bounds."""

    name, certainty = "untested-number", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        numbers = case.numbers
        may_overflow = _writes_into_own(case) or leaves_room(case.failing.state, case.fault)
        beside = tested_beside_count(case)
        for each in case.relevant_numbers:
            if each not in case.beyond_any_size and (
                each in beside
                or each in case.open_sizes
                or each in case.filling_sizes
                or _is_any_other(case, each)
                or (may_overflow and numbers[each].is_argument)
                or (each not in case.looped and is_tested(case, each))
            ):
                continue
            path, fault = numbers[each].path, case.fault_conditions
            about = [term for term in fault if each in term.symbols]
            whole = case.excluding(fault)
            requires, demand = whole or case.excluding(about), demanded(fault if whole else about)
            reason, plain = f"it needs a value of {path} that the code never tested", f"{path} is in range"
            grounds = Grounds(reason, requires or plain, requires, demand, plain, (path,))
            return _of_null(case, grounds) if case.fault.kind == "null-dereference" else grounds
        return None


def _is_any_other(case: FaultCase, symbol: Term) -> bool:
    """Whether the path only asks that an argument differs from some values, as one that is searched for in vain."""
    if not case.numbers[symbol].is_argument or case.fault.kind == "null-dereference":
        return False
    asked = [each for each in case.failing.state.path.constraints() if symbol in each.symbols]
    return bool(asked) and all(each.op == "not" and each.args[0].op == "eq" for each in asked)


def _of_null(case: FaultCase, grounds: Grounds) -> Grounds:
    """The grounds of a fault through a null pointer: one that leads somewhere is as good as another number."""
    pointer = case.null_pointer
    if pointer is None:
        return grounds
    plain = f"{pointer} is not null"
    if not grounds.requires or not isinstance(grounds.demand, NumbersAllow):
        return replace(grounds, precondition=plain, requires="", demand=None, plain=plain)
    requires, demand = f"{pointer} != 0 || {grounds.requires}", NotNullUnless(pointer, grounds.demand.condition)
    return replace(grounds, precondition=requires, requires=requires, demand=demand, plain=plain)


def _writes_into_own(case: FaultCase) -> bool:
    """Whether it writes outside of an object that the function made. What it reads there, callers may have to choose,
    as in any table.
    """
    is_read = case.fault.access is not None and not case.fault.access.is_write
    return case.is_own and not is_read


class NeedsMadeMember:
    """A member has such a value in a struct that the project itself makes. Its makers may never leave it so."""

    name, certainty = "made-object", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        made = makers(case.scanned.program)
        lazy, relevant = case.failing.state.lazy, set(case.relevant_numbers)
        for place, value in lazy.numbers.items():
            kind = next((each.type for each, _ in lazy.around(*place) if each.type in made), None)
            if not isinstance(kind, RecordType):
                continue
            for each in sorted(symbols_of([value]) & relevant, key=lambda term: term.name):
                path, maker = case.numbers[each].path, made[kind]
                reason = f"it needs a value of {path}, in an object that {maker} makes: it may never have it"
                return Grounds(reason, f"{path} is as {maker} makes it", about=(path,))
        return None


class NeedsAnswerOfLibrary:
    """Only a library tests the number. Its branches do not show that the function expects such a value."""

    name, certainty = "library-test", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        numbers, failing, siblings = case.numbers, case.failing, case.siblings
        granted = [each for each in failing.state.path.constraints() if each in siblings.granted]
        tested = case.ask.where((*case.tests, *granted))
        terms = [each for each in siblings.decided if each not in siblings.tested and numbers.keys() & each.symbols]
        for each in case.ask.known(failing.state.path, terms):
            if _names_open_file(case, each) or (tested is not None and case.ask.implies(tested, each)):
                continue
            if all(case.ask.under(other.state.path, build.negate(each)) is None for other in siblings.failing):
                requires = case.excluding([each])
                names = ", ".join(sorted(numbers[symbol].path for symbol in each.symbols & numbers.keys()))
                reason, plain = f"it needs a value of {names} that the code never tested", f"{names} is in range"
                return Grounds(reason, requires or plain, requires, demanded([each]), plain)
        return None


def _names_open_file(case: FaultCase, term: Term) -> bool:
    """Whether a library only decided that a number names the file that the caller has open: standard input."""
    reads = case.scanned.function.name in functions_that_read_descriptors(case.scanned.program)
    symbols, path = term.symbols & case.numbers.keys(), case.failing.state.path
    return reads and all(
        case.numbers[each].is_signed and case.ask.under(path, build.ne(each, 0, each.width)) is None for each in symbols
    )


class TestsWrongly:
    """The code tests a size, or sets another number a limit, but lets values pass that fail."""

    name, certainty = "tested-wrongly", CERTAIN

    def grounds(self, case: FaultCase) -> Grounds | None:
        numbers = _let_by(case)
        if not numbers or not all(each in case.stated_sizes or has_limit(case, each) for each in numbers):
            return None
        signed = [each for each in numbers if case.numbers[each].is_signed]
        example = build.conjunction([build.sle(0, each, each.width) for each in signed]) if signed else None
        return Grounds(_said(case, numbers), example=example)


class LetsNumberBy:
    """The code tests a number that is no size, but sets no limit where it fails: users may not pass such."""

    name, certainty = "number-let-by", LIKELY

    def grounds(self, case: FaultCase) -> Grounds | None:
        numbers = _let_by(case)
        if not numbers:
            return None
        return Grounds(f"{_said(case, numbers)}; users may know not to pass them")


def _let_by(case: FaultCase) -> list[Term]:
    """The numbers of the caller's that fail although the code tests them."""
    return [each for each in case.relevant_numbers if each not in case.open_sizes or is_tested(case, each)]


def _said(case: FaultCase, numbers: Sequence[Term]) -> str:
    names = ", ".join(sorted(case.numbers[each].path for each in numbers))
    if case.is_own and not any(is_tested(case, each) for each in numbers):
        return f"the code takes any {names} for what it does with an object of its own"
    return f"the code tests {names}, but lets values by that fail here"


def _texts(case: FaultCase) -> Iterator[tuple[str, set[Term]]]:
    """The texts whose length the fault depends on, each with the symbols of its characters."""
    state = case.failing.state
    for item in state.lazy.objects:
        if item.is_text:
            ends = [
                each
                for each in state.lazy.possible_ends(item).values()
                if case.ask.under(state.path, build.eq(each, 0, 8)) is not None
            ]
            if symbols_of([item.length, *ends]).intersection(case.relevant):
                characters = [value for (number, _), value in state.lazy.numbers.items() if number == item.number]
                characters += [each.character for each in state.lazy.points.get(item.number, ())]
                yield item.path, symbols_of(characters)


def _compares_with_nul(case: FaultCase, condition: Term, characters: Collection[Term]) -> bool:
    """Whether a condition rules out NUL for a character, but not the next code: it looks for the end of a text."""
    return any(
        case.ask.under(case.ask.where((condition,)), build.eq(each, 0, each.width)) is None
        and case.ask.under(case.ask.where((condition,)), build.eq(each, 1, each.width)) is not None
        for each in condition.symbols.intersection(characters)
    )
