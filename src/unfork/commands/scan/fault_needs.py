"""What a fault needs of the arguments of a function: what all known paths to it have in common.

Duties of callers (duties.py) compare it with what calls and comments say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unfork.commands.scan.case_questions import CaseQuestions, SolverGaveUp
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.lazy import LazyArgument
from unfork.engine.state.memory import object_of, offset_in
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Value
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
    varies: bool = False
    """Whether no path alone has all of these: then others that are not known may have more."""
    no_steps: tuple[int, ...] = ()
    is_no_power: bool = False
    """Whether it is no power of two."""
    beyond: tuple[str, ...] = ()
    counted_by: str = ""

    def is_outside(self, distance: int) -> bool:
        """Whether a range outside of a limit, so far away from it, leaves nothing to paths that are not known."""
        return distance == 0 or (distance > 0 and not self.varies)


Needs = tuple[ArgumentNeed, ...]


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


_KEPT = ("is_null", "is_object", "is_text", "least", "most", "varies", "no_steps", "is_no_power")


def common_needs(ask: CaseQuestions, paths: Iterable[Failed], about: Collection[str]) -> Needs:
    """What all failing paths need of the arguments in ``about``. Nothing of one where the solver does not know."""
    needs: dict[str, ArgumentNeed | None] | None = None
    known: list[_FailingPath] = []
    for failed in paths:
        path = _FailingPath(ask, failed)
        known.append(path)
        given = {each.name: each for each in failed.state.lazy.arguments if each.name in about}
        if needs is None:
            needs = dict.fromkeys(given)
        needs = {
            name: need
            for name, before in needs.items()
            if name in given and (need := path.need(given[name], before)) is not None
        }
    return tuple([_with_shown_steps(each, known) for each in (needs or {}).values() if each is not None])


def _with_shown_steps(need: ArgumentNeed, paths: Sequence[_FailingPath]) -> ArgumentNeed:
    """A need with the steps that its paths show: some of them lead to numbers next to multiples, on both sides. What
    shows a power of two shows the larger ones.
    """
    left = list(need.no_steps)
    for step in need.no_steps[::-1]:
        modulus = max(step, 4) if step & 1 == 0 else step
        if not all(any(path.may_leave(need.name, each, modulus) for path in paths) for each in (1, modulus - 1)):
            left.remove(step)
        elif step & (step - 1) == 0:
            break
    return replace(need, no_steps=tuple(left))


class _FailingPath:
    """A failing path, of which needs are asked: those that it shares with the ones of the paths before."""

    def __init__(self, ask: CaseQuestions, failed: Failed) -> None:
        self._ask, self._state, self._path = ask, failed.state, failed.state.path
        self._arguments = failed.state.lazy.arguments

    def need(self, argument: LazyArgument, before: ArgumentNeed | None) -> ArgumentNeed | None:
        """What this path and those before need of an argument; None if that is not known."""
        try:
            if isinstance(argument.type, Pointer):
                return self._pointer(argument, before)
            if _is_integer(argument):
                return self._number(argument, before)
        except SolverGaveUp:
            pass
        return None

    def may_leave(self, name: str, rest: int, modulus: int) -> bool:
        """Whether a number may have this rest; not if the solver does not know."""
        argument = next(each for each in self._arguments if each.name == name)
        value, width = argument.value, 8 * argument.type.size
        rests = (rest, rest - modulus) if _is_signed(argument) else (rest,)
        left = (build.srem if _is_signed(argument) else build.urem)(value, modulus, width)
        try:
            return any(self._may(build.eq(left, each % (1 << width), width)) for each in rests)
        except SolverGaveUp:
            return False

    def _number(self, argument: LazyArgument, before: ArgumentNeed | None) -> ArgumentNeed:
        value, width = argument.value, 8 * argument.type.size
        is_signed = _is_signed(argument)
        is_power = build.both(
            build.negate(build.eq(value, 0, width)),
            build.eq(build.and_(value, build.sub(value, 1, width), width), 0, width),
        )
        least, most = self._range(value, width, before, is_signed=is_signed)
        return ArgumentNeed(
            argument.name,
            least=least,
            most=most,
            varies=_varies(before, least, most),
            no_steps=self._no_steps(value, width, STEPS if before is None else before.no_steps, is_signed=is_signed),
            is_no_power=(before is None or before.is_no_power) and not self._may(is_power),
        )

    def _no_steps(self, value: Value, width: int, steps: Iterable[int], *, is_signed: bool) -> tuple[int, ...]:
        """The steps of which a number is no multiple."""
        remainder = build.srem if is_signed else build.urem
        left = [step for step in steps if not step >> (width - 1)]
        for step in tuple(reversed(left)):
            if self._may(build.eq(remainder(value, step, width), 0, width)):
                left.remove(step)
            elif step & (step - 1) == 0:
                break  # so it is none of a larger power of two
        return tuple(left)

    def _pointer(self, argument: LazyArgument, before: ArgumentNeed | None) -> ArgumentNeed:
        if argument.value == 0:
            return ArgumentNeed(argument.name, is_null=before is None or before.is_null)
        item = self._state.lazy.find(object_of(argument.value)) if isinstance(argument.value, int) else None
        held = None if item is None else self._state.memory.objects.get(item.number)
        is_start = isinstance(argument.value, int) and not offset_in(argument.value)
        if item is None or held is None or not is_start or not (before is None or before.is_object):
            return ArgumentNeed(argument.name)  # it leads elsewhere, or was freed
        size = held.size
        least, most = self._range(size, _WORD, before, is_signed=False)
        numbers = [
            each for each in self._arguments if isinstance(each.type, Scalar) and each.type.encoding in _INTEGERS
        ]
        counts = [each.name for each in numbers if argument.room is not None and argument.room == each.value]
        common = counts if before is None else [each for each in counts if each == before.counted_by]
        beyond = [
            each.name
            for each in numbers
            if each.name not in counts
            and (before is None or each.name in before.beyond)
            and not self._may(build.sle(_wide(each), size, _WORD))
        ]
        return ArgumentNeed(
            argument.name,
            is_object=True,
            is_text=item.is_text or (before is not None and before.is_text),
            least=least,
            most=most,
            varies=_varies(before, least, most),
            beyond=tuple(beyond),
            counted_by=common[0] if common else "",
        )

    def _may(self, condition: Value) -> bool:
        return self._ask.under(self._path, condition) is not None

    def _range(self, value: Value, width: int, before: ArgumentNeed | None, *, is_signed: bool) -> tuple[int, int]:
        """The least and the largest value on this path, and on those before."""
        top = 1 << width
        low, high = (-(top >> 1), (top >> 1) - 1) if is_signed else (0, top - 1)
        below = build.sle if is_signed else build.ule
        some = evaluate(value, self._path.model())
        some -= top if some > high else 0
        known = [some] if before is None else [each for each in (some, before.least, before.most) if each is not None]

        def may_reach(limit: int) -> bool:
            return self._may(below(limit % top, value, width))

        def may_fall(limit: int) -> bool:
            return self._may(below(value, -limit % top, width))

        return -_furthest(may_fall, -min(known), -low), _furthest(may_reach, max(known), high)


def _varies(before: ArgumentNeed | None, least: int, most: int) -> bool:
    """Whether a range is wider than that of the paths before."""
    return before is not None and (before.varies or (before.least, before.most) != (least, most))


def _is_integer(argument: LazyArgument) -> bool:
    """Whether an argument is an integer of at most 64 bits."""
    kind = argument.type
    return isinstance(kind, Scalar) and kind.encoding in _INTEGERS and 8 * kind.size <= _WORD


def _is_signed(argument: LazyArgument) -> bool:
    return isinstance(argument.type, Scalar) and argument.type.encoding == "signed"


def _wide(argument: LazyArgument) -> Value:
    """A number in 64 bits."""
    extend = build.sext if _is_signed(argument) else build.zext
    return extend(argument.value, 8 * argument.type.size, _WORD)


def _furthest(may: Callable[[int], bool], low: int, high: int) -> int:
    """The largest limit from ``low`` to ``high`` that may be, or ``low``. What is below one that may may be, too."""
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
