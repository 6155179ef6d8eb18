"""C functions that make objects by a library's own calls, change them by a few more, and then call one function.

Their parameters are the arguments of all calls; a number before those of each says whether that call is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

FILE = "unfork-objects.c"
"""The file of these functions in reports."""
PREFIX = "unfork_made_"


@dataclass(frozen=True, slots=True)
class GivenArgument:
    """An argument that the driver takes as its parameter ``name``, of the C type ``kind``."""

    name: str
    kind: str

    @property
    def declaration(self) -> str:
        if "(*)" in self.kind:
            return self.kind.replace("(*)", f"(*{self.name})", 1)
        return f"{self.kind}{self.name}" if self.kind.endswith("*") else f"{self.kind} {self.name}"

    @property
    def is_pointer(self) -> bool:
        return "*" in self.kind


@dataclass(frozen=True, slots=True)
class ObjectArgument:
    """The object in the variable ``name``; or the address of that variable."""

    name: str
    is_place: bool = False


@dataclass(frozen=True, slots=True)
class ObjectCall:
    """A call of ``function``, which is made if the driver's parameter ``flag`` is set ("": always).

    ``makes`` is the variable of the object that it makes: returns, puts into that variable, or fills, if ``is_filler``.
    ``success`` follows its result where that says that it did.
    """

    function: str
    arguments: tuple[GivenArgument | ObjectArgument, ...]
    flag: str = ""
    makes: str = ""
    is_filler: bool = False
    is_result: bool = False
    success: str = ""

    @property
    def given(self) -> list[GivenArgument]:
        return [each for each in self.arguments if isinstance(each, GivenArgument)]

    def text(self, value: Callable[[GivenArgument], str]) -> str:
        """The call in C, with the ``value`` of each given argument."""
        words = []
        for each in self.arguments:
            match each:
                case GivenArgument():
                    words.append(value(each))
                case ObjectArgument(name, is_place):
                    words.append(f"&{name}" if is_place else name)
        call = f"{self.function}({', '.join(words)})"
        return f"{self.makes} = {call}" if self.is_result else call


@dataclass(frozen=True, slots=True)
class ObjectDriver:
    """A function ``name`` that makes ``objects`` (variable, C type), each by one of its ``makers``, then makes up to
    one call of each of ``steps``, and at last ``entry``.
    """

    name: str
    objects: tuple[tuple[str, str], ...]
    makers: tuple[tuple[ObjectCall, ...], ...]
    steps: tuple[tuple[ObjectCall, ...], ...]
    entry: ObjectCall

    def first(self, steps: int) -> ObjectDriver:
        """A driver with the first maker of each object, and the first ``steps``, alone; itself if it has no more."""
        if len(self.steps) <= steps:
            return self
        makers = tuple([group[:1] for group in self.makers])
        return replace(self, name=f"{self.name}_after_{steps}", makers=makers, steps=self.steps[:steps])

    def is_apart(self, parameter: str) -> bool:
        """Whether a pointer argument is not null, and leads to an object of its own."""
        return parameter not in {each.name for each in self.entry.given}

    def optional_arguments(self) -> dict[str, str]:
        """The arguments of calls that need not be made, each with the parameter by which its call is made."""
        calls = [call for group in (*self.makers, *self.steps) for call in group if call.flag]
        return {given.name: call.flag for call in calls for given in call.given}

    def calls(self, flags: Mapping[str, int]) -> list[ObjectCall]:
        """The calls that the driver makes with some values of its parameters."""
        made = [next((each for each in group if flags.get(each.flag)), None) for group in self.makers]
        for group in self.steps:
            call = next((each for each in group if flags.get(each.flag)), None)
            if call is None:
                break
            made.append(call)
        return [*(each for each in made if each is not None), self.entry]

    def text(self) -> str:
        """The function in C."""
        groups = [*self.makers, *self.steps, (self.entry,)]
        parameters = [
            each
            for call in [call for group in groups for call in group]
            for each in (*([f"_Bool {call.flag}"] if call.flag else []), *(given.declaration for given in call.given))
        ]
        lines = [f"int {self.name}({', '.join(parameters) or 'void'}) {{"]
        lines += [f"  {kind} *{name} = 0;" for name, kind in self.objects]
        kinds = dict(self.objects)
        for group in self.makers:
            lines += _choice([_made(call, kinds[call.makes]) for call in group], group, "return 0;")
            lines.append(f"  if (!{group[0].makes}) return 0;")
        for group in self.steps:
            lines.append(f"  if (!({' | '.join(call.flag for call in group)})) goto last;")  # few calls come first
            lines += _choice([[f"{call.text(_passed)};"] for call in group], group, "goto last;")
        label = ["last:"] if self.steps else []
        return "\n".join([*lines, *label, f"  {self.entry.text(_passed)};", "  return 0;", "}"]) + "\n"

    def lines(self, values: Mapping[str, str], flags: Mapping[str, int]) -> list[str]:
        """The calls that it makes with some values of its parameters, as lines of C."""
        kinds = dict(self.objects)
        lines = []
        for call in self.calls(flags):
            if call.makes:
                lines.append(f"{kinds[call.makes]} *{call.makes} = 0;")
                lines += _made(call, kinds[call.makes], lambda given: values[given.name])
            else:
                lines.append(f"{call.text(lambda given: values[given.name])};")
        return lines


def used(calls: Sequence[ObjectCall]) -> set[str]:
    """The parameters of a driver that some of its calls take."""
    return {each.name for call in calls for each in call.given}


def text_of_drivers(drivers: Sequence[ObjectDriver]) -> str:
    """A text to append to the file that defines the functions which they call at last."""
    return f'\n#line 1 "{FILE}"\n' + "\n".join(each.text() for each in drivers)


def _passed(given: GivenArgument) -> str:
    return f"(void *){given.name}" if given.is_pointer else given.name


def _made(call: ObjectCall, kind: str, value: Callable[[GivenArgument], str] = _passed) -> list[str]:
    """The statements by which a call makes its object."""
    room = [f"static {kind} {call.makes}_room;", f"{call.makes} = &{call.makes}_room;"] if call.is_filler else []
    said = call.text(value)
    return [*room, f"if (!({said} {call.success})) return 0;" if call.success else f"{said};"]


def _choice(bodies: Sequence[Sequence[str]], group: Sequence[ObjectCall], otherwise: str) -> Iterator[str]:
    for at, (call, body) in enumerate(zip(group, bodies, strict=True)):
        yield f"  {'else ' if at else ''}if ({call.flag}) {{ {' '.join(body)} }}"
    yield f"  else {otherwise}"
