"""What a fault needs of the arguments of a function: what all certain paths to it have in common.

Duties of callers (duties.py) compare it with what calls and comments say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from unfork.commands.scan.case_questions import CaseQuestions, SolverGaveUp
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.lazy import LazyArgument
from unfork.engine.state.memory import object_of, offset_in
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.c_types import Pointer, Scalar

_WORD = 64
STEPS = (4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 3)
"""Of which a number may have to be a multiple: the sizes of pages, sectors, blocks, words and groups."""
_INTEGERS = frozenset(("signed", "unsigned"))


@dataclass(frozen=True, slots=True)
class ArgumentNeed:
    """What the failing paths have in common at an argument on which the fault depends.

    A number is from ``least`` to ``most``, and no multiple of ``no_steps``. Of a pointer, these are the bytes of its
    object: fewer than each of the arguments in ``beyond``. ``counted_by`` is the argument that is taken for them.
    """

    name: str
    is_null: bool = False
    is_object: bool = False
    is_text: bool = False
    least: int | None = None
    most: int | None = None
    no_steps: tuple[int, ...] = ()
    is_no_power: bool = False
    """Whether it is no power of two."""
    beyond: tuple[str, ...] = ()
    counted_by: str = ""

    def or_as(self, other: ArgumentNeed) -> ArgumentNeed:
        """What this need and another path's have in common."""
        ends = (self.least, other.least), (self.most, other.most)
        (least, most) = (None if None in both else both for both in ends)
        return ArgumentNeed(
            self.name,
            self.is_null and other.is_null,
            self.is_object and other.is_object,
            self.is_text or other.is_text,
            None if least is None else min(each for each in least if each is not None),
            None if most is None else max(each for each in most if each is not None),
            tuple([each for each in self.no_steps if each in other.no_steps]),
            self.is_no_power and other.is_no_power,
            tuple([each for each in self.beyond if each in other.beyond]),
            self.counted_by or other.counted_by,
        )


Needs = tuple[ArgumentNeed, ...]


def common(needs: Needs, others: Needs) -> Needs:
    """What paths have in common."""
    by_name = {each.name: each for each in others}
    return tuple([each.or_as(by_name[each.name]) for each in needs if each.name in by_name])


def renamed(needs: Needs, names: Callable[[str], str | None]) -> Needs:
    """The needs of the arguments that have another name, under it."""

    def moved() -> Iterator[ArgumentNeed]:
        for each in needs:
            name = names(each.name)
            if name is not None:
                beyond = tuple([other for one in each.beyond if (other := names(one)) is not None])
                values = {field: getattr(each, field) for field in _KEPT}
                yield ArgumentNeed(name, **values, beyond=beyond, counted_by=names(each.counted_by) or "")

    return tuple(moved())


_KEPT = ("is_null", "is_object", "is_text", "least", "most", "no_steps", "is_no_power")


def needs_of(ask: CaseQuestions, failed: Failed, about: Collection[str]) -> Needs:
    """What a failing path needs of the arguments in ``about``."""
    return tuple(_Needs(ask, failed).of(about))


class _Needs:
    def __init__(self, ask: CaseQuestions, failed: Failed) -> None:
        self._ask, self._state, self._path = ask, failed.state, failed.state.path
        self._arguments = failed.state.lazy.arguments

    def of(self, about: Collection[str]) -> Iterator[ArgumentNeed]:
        for argument in self._arguments:
            if argument.name not in about:
                continue
            try:
                match argument.type:
                    case Scalar(encoding=encoding) if encoding in _INTEGERS:
                        yield self._number(argument.name, argument.value, 8 * argument.type.size, encoding)
                    case Pointer():
                        yield self._pointer(argument)
            except SolverGaveUp:
                continue

    def _number(self, name: str, value: Value, width: int, encoding: str) -> ArgumentNeed:
        is_signed = encoding == "signed"
        least, most = self._range(value, width, is_signed=is_signed)
        remainder = build.srem if is_signed else build.urem
        no_steps: list[int] = []
        for step in (each for each in STEPS if not each >> (width - 1)):
            may_be = self._may(build.eq(remainder(value, step, width), 0, width))
            if may_be and step & (step - 1) == 0:
                break  # so it may be a multiple of each smaller power of two
            no_steps += [] if may_be else [step]
        is_power = build.both(
            build.negate(build.eq(value, 0, width)),
            build.eq(build.and_(value, build.sub(value, 1, width), width), 0, width),
        )
        return ArgumentNeed(name, least=least, most=most, no_steps=tuple(no_steps), is_no_power=not self._may(is_power))

    def _pointer(self, argument: LazyArgument) -> ArgumentNeed:
        if argument.value == 0:
            return ArgumentNeed(argument.name, is_null=True)
        item = self._state.lazy.find(object_of(argument.value)) if isinstance(argument.value, int) else None
        if item is None or not isinstance(argument.value, int) or offset_in(argument.value):
            return ArgumentNeed(argument.name)
        size = self._state.memory.objects[item.number].size
        least, most = self._range(size, _WORD, is_signed=False)
        beyond, counted_by = [], ""
        for other in self._arguments:
            if isinstance(other.type, Scalar) and other.type.encoding in _INTEGERS:
                number = self._wide(other)
                counted_by = other.name if argument.room is not None and argument.room == other.value else counted_by
                if other.name != counted_by and not self._may(build.sle(number, size, _WORD)):
                    beyond.append(other.name)
        return ArgumentNeed(
            argument.name,
            is_object=True,
            is_text=item.is_text,
            least=least,
            most=most,
            beyond=tuple(beyond),
            counted_by=counted_by,
        )

    def _wide(self, argument: LazyArgument) -> Value:
        """A number in 64 bits."""
        extend = build.sext if isinstance(argument.type, Scalar) and argument.type.encoding == "signed" else build.zext
        return extend(argument.value, 8 * argument.type.size, _WORD)

    def _may(self, condition: Value) -> bool:
        return self._ask.under(self._path, condition) is not None

    def _range(self, value: Value, width: int, *, is_signed: bool) -> tuple[int, int]:
        """The least and the largest value on the path."""
        top = 1 << width
        low, high = (-(top >> 1), (top >> 1) - 1) if is_signed else (0, top - 1)
        if not isinstance(value, Term):
            known = value - top if is_signed and value > high else value
            return known, known
        below = build.sle if is_signed else build.ule

        def may_reach(limit: int) -> bool:
            return self._may(below(limit % top, value, width))

        def may_fall(limit: int) -> bool:
            return self._may(below(value, -limit % top, width))

        some = evaluate(value, self._path.model())
        some -= top if some > high else 0
        return -_furthest(may_fall, -some, -low), _furthest(may_reach, some, high)


def _furthest(may: Callable[[int], bool], low: int, high: int) -> int:
    """The largest limit from ``low``, which may be, to ``high`` that may be. So may be those below it."""
    if may(high):
        return high
    step = 1
    while low + step < high and may(low + step):
        low, step = low + step, 2 * step
    high = min(low + step, high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if may(middle) else (low, middle)
    return low
