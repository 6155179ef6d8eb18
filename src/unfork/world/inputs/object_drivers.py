"""C++ that calls the function under test with objects made by their constructors (unfork_objects.hpp).

It includes the program's file, and so knows all types. This module finds how each class can be made.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unfork.program.c.escape import c_string
from unfork.program.llvm.cpp_classes import CppClasses, DataMember
from unfork.program.llvm.debug_info import Node
from unfork.program.llvm.ir import ByteString
from unfork.program.llvm.module import Program

FILE = "unfork-objects.cpp"
MOST = 8
"""Most elements of a container, and characters of a string, without --max-size."""
_ASSUMED = "unfork_assumed"
_PREFIX = "unfork_objects_"
_WHOLE = {"basic_string": 1, "basic_string_view": 1, "pair": 2, "array": 1}
"""Templates of namespace std, with the number of their arguments that an object holds a value of."""
_POSSIBLY_EMPTY = {
    **dict.fromkeys(("vector", "deque", "list", "set", "multiset", "unordered_set", "unordered_multiset"), 1),
    **dict.fromkeys(("map", "multimap", "unordered_map", "unordered_multimap"), 2),
    **dict.fromkeys(("optional", "unique_ptr", "shared_ptr", "span"), 1),
}
"""Those that may be empty."""


def entry(function: str) -> str:
    """The function that makes the arguments of ``function`` and calls it."""
    return f"{_PREFIX}{function}"


def is_entry(name: str) -> bool:
    """Whether ``name`` is such an entry."""
    return name.startswith(_PREFIX)


def read_driver(root: Path) -> str:
    """The driver in a run directory; "" if the run had none."""
    path = root / FILE
    return path.read_text("utf-8", "surrogateescape") if path.is_file() else ""


def included(driver: str) -> str:
    """The path of the first file that a driver includes; "": none."""
    head = driver.partition("\n")[0]
    return ast.literal_eval(head.removeprefix("#include ")) if head.startswith('#include "') else ""


def assumptions(program: Program) -> tuple[str, ...]:
    """The assumptions of a run that starts in a driver's entry, from the driver."""
    match program.globals[_ASSUMED].initializer:
        case ByteString(data=data):
            return tuple(data.rstrip(b"\0").decode("utf-8", "surrogateescape").split("\n"))
    return ()


def _assumed(most: int, left_out: Sequence[str]) -> list[str]:
    assumptions = [
        "objects are as public constructors have just made them; classes without any have any public members, and "
        "others that are 0",
        "no two pointers or references lead to one object, and objects are in objects at most 4 deep",
        f"strings and containers have at most {most} elements, and a pointer to numbers leads to {most} of them",
    ]
    return [*assumptions, f"nothing is made by {', or by '.join(left_out)}"] if left_out else assumptions


@dataclass(frozen=True, slots=True)
class DriverText:
    """The text of a driver, which follows the source, and the ``whole`` file that includes it.

    Without a driver, ``reason`` says why; it is empty if no argument needs a constructor.
    """

    text: str = ""
    reason: str = ""
    whole: str = ""


def driver(program: Program, function: str, source: Path, most: int) -> DriverText:
    """C++ that calls ``function``, defined in ``source``; containers have at most ``most`` elements."""
    classes = program.c_types.classes
    routine = classes.routine(program.c_types.subprogram(function) or classes.methods.get(function))
    if routine is None:
        return DriverText()
    parameters, name = classes.parameters(routine), classes.qualified_name(routine)
    scope = routine.fields.get("scope", "null")
    call = _Call(classes, routine, name, scope if classes.is_method(routine) else None, parameters or [])
    possible = Possible(classes, call.needed)
    if not call.is_constructor and not possible.has_constructors:
        return DriverText()
    missing = next((kind for kind in call.needed if not possible.is_made(kind)), None)
    if parameters is None or not name or call.is_qualified or missing is not None:
        what = "its arguments" if missing is None else classes.spelling(missing) or "a type without a name"
        return DriverText(reason=f"there is no way to make {what}")
    prototype = program.c_types.prototype(function)
    # a method that is only declared has no prototype
    names = [each.name for each in prototype.parameters] if prototype else ["this"]
    names += [f"argument{number}" for number in range(len(names), len(parameters))]
    lines = [f"#define UNFORK_MOST {most}", "#include <unfork_objects.hpp>"]
    listed = ", ".join(c_string(each) for each in names[call.is_constructor :])
    assumed = "\n".join(_assumed(most, possible.left_out()))
    lines.append(f'extern "C" {{ extern const char {_ASSUMED}[]; const char {_ASSUMED}[] = {c_string(assumed)}; }}')
    lines += [*possible.definitions(), f"const char *const unfork::objects::names[] = {{{listed or '0'}}};"]
    body = "unfork::objects::run();"
    if call.is_constructor:
        body = f"unfork::objects::call_constructor<{call.owner}>({_list(call.parameters)}{{}}, unfork::objects::names);"
    elif call.is_destructor:
        body = f"unfork::objects::made<unfork::objects::This<{call.owner}>>(unfork::objects::names);"
    else:
        lines.append(f"template struct unfork::objects::Under<{call.overload}>;")
    lines += [f'extern "C" void {entry(function)}() {{', f"  {body}", "  unfork::objects::end_all();", "}"]
    text = "\n".join(lines) + "\n"
    return DriverText(text, whole=f"#include {c_string(str(source))}\n{text}")


@dataclass(frozen=True, slots=True)
class _Call:
    """The function under test: its declaration, and its class if it is a method."""

    classes: CppClasses
    routine: Node
    name: str
    scope: str | None
    given: Sequence[str]

    @property
    def owner(self) -> str:
        return self.classes.spelling(self.scope) if self.scope else ""

    @property
    def is_constructor(self) -> bool:
        return self.scope is not None and self.routine.text("name").partition("<")[0] == self._class_name

    @property
    def is_destructor(self) -> bool:
        return self.scope is not None and self.routine.text("name").startswith("~")

    @property
    def _class_name(self) -> str:
        return "" if self.scope is None else self.classes.node(self.scope).text("name").partition("<")[0]

    @property
    def is_qualified(self) -> bool:
        """Whether it accepts only objects of one value category."""
        return "ValueReference" in self.routine.fields.get("flags", "")

    @property
    def _has_this(self) -> bool:
        return self.scope is not None and "DIFlagStaticMember" not in self.routine.fields.get("flags", "")

    @property
    def needed(self) -> list[str]:
        if not self._has_this or self.scope is None:
            return list(self.given)
        return list(self.given[1:]) if self.is_constructor else [self.scope, *self.given[1:]]

    @property
    def parameters(self) -> list[str]:
        return [self.classes.spelling(each) for each in self.given[self._has_this :]]

    @property
    def overload(self) -> str:
        """The function's address; its parameters choose among overloads."""
        is_const = self._has_this and self.classes.is_const(self.routine)
        kind = f"unfork::objects::Overload<{', '.join(self.parameters)}>"
        return f"{kind}::of{'_const' if is_const else ''}(&{self.name})"


class Possible:
    """The classes that ``types`` lead to, with the ways to make each."""

    def __init__(self, classes: CppClasses, types: Iterable[str]) -> None:
        self._classes = classes
        self._reached: dict[str, None] = {}
        self.has_constructors = False
        waiting = [*types]
        while waiting:
            at = classes.bare(waiting.pop())
            if at is None or at in self._reached or not classes.is_class(at):
                continue
            if classes.is_of_library(at):
                self.has_constructors = True
                waiting += classes.arguments(at)
                continue
            self._reached[at] = None
            constructors = classes.constructors(at)
            self.has_constructors |= constructors is not None or classes.is_polymorphic(at)
            waiting += [kind for parameters in constructors or [] for kind in parameters]
            waiting += [*self._dynamic(at), *[member.type for member in self._members(at)]]
        self._candidates = [kind for kind in self._reached if classes.spelling(kind)]
        while len(made := self._fixpoint()) < len(self._candidates):
            self._candidates = [kind for kind in self._candidates if kind in made]
        self._made = made

    def _dynamic(self, kind: str) -> list[str]:
        return self._classes.dynamic_types(kind) if self._classes.is_polymorphic(kind) else [kind]

    def _members(self, kind: str) -> list[DataMember]:
        return self._classes.members(kind) or []

    def _fixpoint(self) -> dict[str, list[list[str]]]:
        """The classes that can be made, with their constructors (none: by members); first one that ends recursion."""
        ways: dict[str, list[list[str]]] = {}
        has_changed = True
        while has_changed:
            has_changed = False
            for kind in self._candidates:
                usable = ways.get(kind, [])
                more = [each for each in self._ways(kind) if each not in usable and self._can_all(each, ways)]
                if more or (kind not in ways and self._is_made_by_members(kind, ways)):
                    ways[kind], has_changed = [*usable, *more], True
        return ways

    def _ways(self, kind: str) -> list[list[str]]:
        return self._classes.constructors(kind) or []

    def _is_made_by_members(self, kind: str, makeable: Container[str]) -> bool:
        members = self._classes.members(kind)
        is_plain = self._classes.constructors(kind) is None and members is not None
        return is_plain and self._can_all([member.type for member in members or ()], makeable)

    def _can_all(self, kinds: Iterable[str], makeable: Container[str]) -> bool:
        return all(self._can_be_made(kind, makeable) for kind in kinds)

    def is_made(self, kind: str) -> bool:
        return self._can_be_made(kind, self._made)

    def _can_be_made(self, kind: str, makeable: Container[str]) -> bool:
        """Whether a value can be made if objects of the classes in ``makeable`` can. For pointers and containers, which
        may be empty, a candidate is enough.
        """
        classes = self._classes
        plain = classes.plain(kind)
        if plain is None or not classes.spelling(plain):
            return classes.element(plain) is not None and self._can_be_made(classes.element(plain) or "", makeable)
        tag = classes.node(plain).fields.get("tag", "")
        if "reference_type" in tag:
            target = classes.target(plain)
            return target is not None and self._is_object(target, makeable)
        if "pointer" in tag:
            target = classes.target_of_pointer(plain)
            if target is None or "pointer" in classes.node(target).fields.get("tag", ""):
                return False
            return self._is_object(target, self._candidates)
        if not classes.is_class(plain):
            return classes.is_number(plain)
        if not classes.is_of_library(plain):
            return plain in makeable and not classes.is_abstract(plain)
        name = classes.spelling(plain).removeprefix("std::").partition("<")[0]
        arguments = classes.arguments(plain)
        if name in _POSSIBLY_EMPTY:
            has_own_deleter = name == "unique_ptr" and "default_delete" not in classes.spelling(arguments[-1])
            parts = arguments[: _POSSIBLY_EMPTY[name]]
            return not has_own_deleter and all(self._is_object(part, self._candidates) for part in parts)
        return name in _WHOLE and self._can_all(arguments[: _WHOLE[name]], makeable)

    def _is_object(self, kind: str, makeable: Container[str]) -> bool:
        """Whether an object of a type, or of a derived class, can be made."""
        plain = self._classes.plain(kind)
        if plain is not None and plain in self._reached:
            return any(each in makeable for each in self._dynamic(plain))
        return self._can_be_made(kind, makeable)

    def left_out(self) -> list[str]:
        left_out = []
        for kind in self._reached:
            name, usable = self._classes.spelling(kind) or "a class in a function", self._made.get(kind)
            if usable is None and not self._classes.is_abstract(kind):
                left_out.append(f"constructors of {name}")
            ways = [each for each in self._ways(kind) if usable is not None and each not in usable]
            left_out += [f"{name}({', '.join(map(self._classes.spelling, each))})" for each in ways]
        return left_out

    def definitions(self) -> Iterator[str]:
        classes = self._classes
        for number, kind in enumerate(self._reached):
            name = classes.spelling(kind)
            dynamic = [classes.spelling(each) for each in self._dynamic(kind) if each in self._made]
            if dynamic and dynamic != [name]:
                yield f"using unfork_derived_{number} = {_list(dynamic)};"
                said = f"using type = unfork_derived_{number};"
                yield f"template <> struct unfork::objects::Derived<{name}> {{ {said} }};"
            if kind not in self._made:
                continue
            if self._made[kind]:
                ways = [_list([classes.spelling(each) for each in parameters]) for parameters in self._made[kind]]
                yield f"using unfork_constructors_{number} = {_list(ways)};"
                said = f"using type = unfork_constructors_{number};"
                yield f"template <> struct unfork::objects::Constructors<{name}> {{ {said} }};"
            elif members := self._members(kind):
                filled = " ".join(_filled(member, classes) for member in members)
                body = f"template <class T> static void fill(T &object) {{ {filled} }}"
                yield f"template <> struct unfork::objects::Members<{name}> {{ {body} }};"


def _filled(member: DataMember, classes: CppClasses) -> str:
    place = f"object.{member.name}"
    if not member.is_bits:
        return f"member({place}, {c_string('.' + member.name)});"
    return f"{place} = make(Type<decltype({place})>{{}});"


def _list(types: Sequence[str]) -> str:
    return f"unfork::objects::List<{', '.join(types)}>"
