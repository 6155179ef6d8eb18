"""Simplifies one function, on first use, by passes that change no branch and drop no fault.

LLVM's passes work on a module, so the function gets a small one: the types that it names, an external symbol for
each global that it refers to, and debug metadata in which the number of a program's node stands for that node (a
location's line is its number). LLVM numbers unnamed types in order of occurrence: a variable whose type has them all
comes first, so that they keep their numbers. The result is the function's text with the program's numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from unfork.program.llvm.binding import TextRejected, take_locals_out_of_memory
from unfork.program.llvm.debug_info import DebugInfo
from unfork.program.llvm.layout import DATA_LAYOUT, NARROW_DATA_LAYOUT, NARROW_TRIPLE, TRIPLE
from unfork.program.llvm.opaque import KEEP, OpaqueSources
from unfork.program.llvm.type_reader import TYPE_DEFINITION, TypeReader

KEEP_LINES = re.compile(rf"^  call void @{re.escape(KEEP)}\(.*\n", re.M)
RARE = re.compile(r"\b(?:musttail |callbr |cleanuppad |catchpad |catchswitch |token |@llvm\.coro)")
"""Constructs that only make sense within the whole module; a function with one stays as the compiler wrote it."""
LABEL_ADDRESS = re.compile(r'blockaddress\((@(?:[-\w.$]+|"[^"]*")), ')
NUMBER_OF_BLOCK = re.compile(r"^(\d+):", re.M)
OTHER_RECORDS = re.compile(r"^    #dbg_(?!value|declare|assign).*\n", re.M)
"""Debug records that the reader ignores."""
LOST = re.compile(
    r"^    #dbg_(?:assign\(|(?:value|declare)\(!(?!DIArgList)).*?, (!\d+, !DIExpression\(.*?\), )(?:.*, )?(!\d+)\)$",
    re.M,
)
"""Records of variables that are nowhere, or at a place unknown to the reader."""
ATTACHED = re.compile(r"(?:, ![\w.]+ !(?:\d+|\{\}))+$", re.M)
LOCATION = re.compile(r", !dbg !\d+")
GROUP = re.compile(r"\) #\d+((?: \[ .*\])?(?:, !dbg !\d+)?)$", re.M)
HEAD_WORDS = re.compile(r" (?:#\d+|comdat(?:\(\$[^)]*\))?|!\w+ !\d+)(?= )")
SYMBOL = re.compile(r'@[-\w.$]+|@"[^"]*"')
NUMBERED_SYMBOL = re.compile(r"@(\d+)\b")
_NUMBER = "unfork.number."
_TYPES = "unfork.types"
LOCAL_NAME = re.compile(r'%[-\w.$]+|%"[^"]*"')
LOCATIONS = re.compile(r"!dbg !(\d+)")
RECORD = re.compile(r"^(    #dbg_\w+\(.*, !)(\d+)(, !DIExpression\(.*\), !)(\d+)\)$", re.M)
NUMBERED = re.compile(r" metadata !(\d+)[,)]")
NEW_LOCATION = re.compile(r"^!(\d+) = !DILocation\(line: (\d+)", re.M)
NEW_VARIABLE = re.compile(r'^!(\d+) = !DILocalVariable\(name: "(\d+) (\d+)"', re.M)
"""Its name has the number of the program's own node, and that of a location: where the scope was inlined."""
RESULT = re.compile(r"^define .*?^}$", re.M | re.S)

_OWN = 1 << 30
"""Metadata nodes with larger numbers are not the program's."""
_FRAME = f"""
!llvm.dbg.cu = !{{!{_OWN}}}
!llvm.module.flags = !{{!{_OWN + 1}}}
!{_OWN} = distinct !DICompileUnit(language: DW_LANG_C99, file: !{_OWN + 2}, emissionKind: FullDebug)
!{_OWN + 1} = !{{i32 2, !"Debug Info Version", i32 3}}
!{_OWN + 2} = !DIFile(filename: "f", directory: "d")
!{_OWN + 3} = distinct !DISubprogram(name: "f", scope: !{_OWN + 2}, file: !{_OWN + 2}, type: !{_OWN + 4}, \
spFlags: DISPFlagDefinition, unit: !{_OWN})
!{_OWN + 4} = !DISubroutineType(types: !{_OWN + 5})
!{_OWN + 5} = !{{null}}
"""
_SCOPE = _OWN + 3
_FIRST_FREE = _OWN + 6

HEAD = f'target datalayout = "{DATA_LAYOUT}"\ntarget triple = "{TRIPLE}"'
NARROW_HEAD = f'target datalayout = "{NARROW_DATA_LAYOUT}"\ntarget triple = "{NARROW_TRIPLE}"'


class Simplifier:
    """The passes for the functions of one module.

    ``intrinsics`` has the declarations of llvm.* functions by name, ``thread_local`` the names of such variables,
    and ``labelled`` the functions whose labels may have their address taken elsewhere; all names have their sigil.
    ``returning_twice`` matches lines with a call that may return twice.
    """

    def __init__(
        self,
        types: TypeReader,
        debug: DebugInfo,
        intrinsics: Mapping[str, str],
        thread_local: Collection[str],
        labelled: Collection[str],
        returning_twice: re.Pattern[str] | None,
    ) -> None:
        self.types = types
        self.debug = debug
        self.intrinsics = intrinsics
        self.thread_local = thread_local
        self.labelled = labelled
        self.returning_twice = returning_twice

    def simplify(self, text: str) -> str:
        """The text of a function with most locals in registers. The control flow stays the compiler's."""
        head, _, body = text.partition("\n")
        twice = self.returning_twice
        own = SYMBOL.search(head)
        name = own[0] if own else ""
        if RARE.search(text) or any(other != name for other in LABEL_ADDRESS.findall(body)):
            return text
        if twice is not None and twice.search(body):
            # After a call that returns twice, a local must have its last value, and only memory keeps that.
            return text
        plain, variables = self._variables(_without_attachments(body))
        if name in self.labelled:
            plain = _with_named_blocks(plain)
        head, plain, name = (_with_named_symbols(each) for each in (head, plain, name))
        opaque = OpaqueSources(self.types)
        lines = opaque.rewrite([_plain_head(head), *plain.split("\n")])
        function = "\n".join(lines)
        types = self._types(function)
        numbered = _numbered(types)
        module = "\n".join(
            [
                NARROW_HEAD if self.types.is_narrow else HEAD,
                *(f"{name} = type {definition}" for name, definition in (types | numbered).items()),
                *([f"@{_TYPES} = external global {{ {', '.join(numbered)} }}"] if numbered else []),
                *self._symbols(name, function, opaque.needed),
                *opaque.needed.values(),
                function,
                _FRAME,
                *_locations(function),
                *variables,
            ]
        )
        try:
            done = take_locals_out_of_memory(module)
        except TextRejected:
            return text
        if numbered and not numbered.items() <= dict(TYPE_DEFINITION.findall(done)).items():
            return text
        return _with_own_symbols(head + self._renumber(done))

    def _types(self, function: str) -> dict[str, str]:
        """The definitions of the types in the text, and of those that these name in turn, by name."""
        definitions = self.types.definitions
        waiting = [name for name in dict.fromkeys(LOCAL_NAME.findall(function)) if name in definitions]
        texts: dict[str, str] = {}
        while waiting:
            name = waiting.pop()
            if name not in texts:
                texts[name] = definitions[name]
                waiting += (inner for inner in LOCAL_NAME.findall(definitions[name]) if inner in definitions)
        return texts

    def _symbols(self, own: str, function: str, needed: Collection[str]) -> list[str]:
        """A declaration for each symbol in the text, except the function's own."""
        names = dict.fromkeys(SYMBOL.findall(function))
        names.pop(own, None)
        declarations = []
        for name in names:
            if name.startswith("@llvm."):
                declarations.append(self.intrinsics[name])
            elif name[1:] not in needed:
                kind = "thread_local global" if _with_own_symbols(name) in self.thread_local else "global"
                declarations.append(f"{name} = external {kind} i8")
        return declarations

    def _variables(self, body: str) -> tuple[str, list[str]]:
        """The text, and nodes for its variables: one for each call that inlined the scope."""
        nodes: dict[tuple[str, str], int] = {}
        taken: set[str] = set()
        lines: list[str] = []

        def record(match: re.Match[str]) -> str:
            variable, location = match[2], match[4]
            node = self.debug.node(f"!{location}")
            key = (variable, node.fields.get("inlinedAt", "") if node else "")
            number = nodes.get(key)
            if number is None:
                number = nodes[key] = _FIRST_FREE + len(lines) if variable in taken else int(variable)
                taken.add(variable)
                lines.extend(self._variable(number, variable, location, len(lines)))
            return f"{match[1]}{number}{match[3]}{location})"

        return RECORD.sub(record, body), lines

    def _variable(self, number: int, variable: str, location: str, count: int) -> list[str]:
        node = self.debug.node(f"!{variable}")
        size = self.debug.type_size(node.fields.get("type")) if node else None
        written = f'!{number} = !DILocalVariable(name: "{variable} {location}", scope: !{_SCOPE}, line: {count}'
        if not size:
            return [f"{written})", f"!{_FIRST_FREE + count + 1} = !{{}}"]
        kind = _FIRST_FREE + count + 1
        return [f"{written}, type: !{kind})", f'!{kind} = !DIBasicType(name: "t", size: {8 * size})']

    def _renumber(self, text: str) -> str:
        """The function's body in LLVM's output, with the program's own numbers."""
        printed = RESULT.search(text)
        assert printed is not None
        body = KEEP_LINES.sub("", printed[0][printed[0].index("\n") :])
        locations = {number: int(line) - 1 for number, line in NEW_LOCATION.findall(text, printed.end())}
        variables = {new: own for new, *own in NEW_VARIABLE.findall(text, printed.end())}
        body = LOCATIONS.sub(lambda match: f"!dbg !{max(locations[match[1]], 0)}", body)

        def record(match: re.Match[str]) -> str:
            variable, location = variables[match[2]]
            return f"{match[1]}{variable}{match[3]}{location})"

        return RECORD.sub(record, body)


def _numbered(types: Mapping[str, str]) -> dict[str, str]:
    """The unnamed types, in order; an empty struct for each number missing in ``types``."""
    numbers = [int(name[1:]) for name in types if name[1:].isdigit()]
    return {name: types.get(name, "{}") for name in (f"%{number}" for number in range(max(numbers, default=-1) + 1))}


def _without_attachments(body: str) -> str:
    """The body without call attributes, unused debug records, and metadata other than locations."""

    def keep_location(match: re.Match[str]) -> str:
        location = LOCATION.search(match[0])
        return location[0] if location else ""

    body = LOST.sub(r"    #dbg_value(i1 poison, \1\2)", OTHER_RECORDS.sub("", body))
    return GROUP.sub(r")\1", ATTACHED.sub(keep_location, body))


def _with_named_symbols(text: str) -> str:
    """The text with numbered symbols renamed, so that they stay where a module lacks some."""
    return NUMBERED_SYMBOL.sub(rf"@{_NUMBER}\1", text)


def _with_own_symbols(text: str) -> str:
    return text.replace(f"@{_NUMBER}", "@")


def _with_named_blocks(body: str) -> str:
    """The body with numbered blocks renamed, so that they stay when values are renumbered."""
    numbers = set(NUMBER_OF_BLOCK.findall(body))
    body = NUMBER_OF_BLOCK.sub(r'"\1":', body)
    return re.sub(r"%(\d+)\b", lambda match: f'%"{match[1]}"' if match[1] in numbers else match[0], body)


def _plain_head(head: str) -> str:
    return f"{HEAD_WORDS.sub('', head)[:-2]} !dbg !{_SCOPE} {{"


def _locations(function: str) -> list[str]:
    """A node for each location in the text."""
    numbers = set(LOCATIONS.findall(function))
    numbers.update(record[3] for record in RECORD.findall(function))
    numbers.discard(str(_SCOPE))
    named = set(NUMBERED.findall(function)) - numbers
    return [
        *(f"!{number} = !DILocation(line: {int(number) + 1}, scope: !{_SCOPE})" for number in sorted(numbers)),
        *(f"!{number} = !{{}}" for number in sorted(named)),
    ]
