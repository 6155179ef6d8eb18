"""The entries of a project: the functions that its users may call; and who calls the others.

Headers say which they are. Tests and examples are users, too. Without a header that names a function, every function
that is not static is an entry.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from unfork.commands.assemble import starting
from unfork.commands.assemble.choices import choose
from unfork.commands.projects.function_comments import CommentedText, FunctionComment
from unfork.commands.projects.header_folders import included
from unfork.commands.projects.project import BuildSource, has_main, is_of_header
from unfork.options.options import Options
from unfork.program.c.suffixes import COMPILED, folders_of
from unfork.program.c.syntax import Layout, syntax_of, text_of
from unfork.program.facts.address_taken import address_taken
from unfork.program.facts.call_sites import CallSite, call_sites
from unfork.program.facts.library_calls import calling, leading_to
from unfork.program.llvm.module import Function, Program

MAIN = "main"
_ALLOCATORS = frozenset(("malloc", "calloc", "realloc", "reallocarray", "strdup", "strndup", "asprintf", "vasprintf"))
_WORD = re.compile(r"[A-Za-z_]\w*")
_INCLUDED = re.compile(r'#\s*include\s*["<]')
_INSTALLED = frozenset(("include", "inc"))
"""Folders whose headers are installed: where a project has one, its other headers are its own."""
_USING = frozenset(
    (
        *("t", "test", "tests", "testing", "example", "examples", "demo", "demos", "sample", "samples"),
        *("fuzz", "fuzzing", "fuzzer", "fuzzers", "bench", "benchmark", "benchmarks"),
    )
)
"""Folders with users of the project."""
_USER = re.compile(
    r"(unit[_-]?)?tests?[_-]|[\w-]+[_-](unit[_-]?)?tests?\d*$|unit[_-]?tests?\d*$|tests?\d+$|examples?\d*$|\w*fuzz(er)?$"
)
"""Names of their files elsewhere."""
_PROGRAM_OR_USER = re.compile(r"(tests?|demos?|samples?|bench(mark)?s?)$")
"""Names that a program may have as well, like ``test``. It does if it is one of several tools."""
_TOOLS = 2
"""How many other programs beside it make it one."""


@dataclass(frozen=True, eq=False)
class CallGraph:
    """The entries of a program, the other functions that call each of its own functions by name, those that may be
    called otherwise (through a pointer, by a library, or in another program of the project), and those that allocate
    memory, or call one that does.

    ``comments`` finds those of a function, of its declarations in headers and of its definition.
    """

    entries: frozenset[str]
    callers: Mapping[str, tuple[str, ...]]
    taken: frozenset[str]
    allocating: frozenset[str]
    program: Program
    comments: Callable[[str], FunctionComments]

    @cached_property
    def calls(self) -> Mapping[str, tuple[CallSite, ...]]:
        """The calls of each function by name. Finding them takes longer than all the rest."""
        return call_sites(self.program)


@dataclass(frozen=True, slots=True)
class FunctionComments:
    """The comments of a function where headers declare it, and where it is defined. ``macros`` of headers that stand
    for numbers.
    """

    declared: tuple[FunctionComment, ...]
    defined: tuple[FunctionComment, ...]
    macros: Mapping[str, int]


class Entries:
    """Says which functions the users of a project may call, from its ``sources`` and the headers that these include,
    also from the folders ``include``.
    """

    def __init__(self, sources: Sequence[BuildSource], include: Sequence[str] = ()) -> None:
        self._sources = sources
        self._include = tuple(map(Path, include))

    def graph(self, program: Program) -> CallGraph:
        """The entries and callers of a program of the project."""
        own = program.own
        every = {name: [each for each in program.callers(name) if each != name] for name in own}
        callers = {name: tuple([each for each in every[name] if each not in program.library]) for name in own}
        called_back = [name for name in own if len(every[name]) > len(callers[name])]
        elsewhere = self._words_elsewhere(program)
        called_back += [name for name in own if name in elsewhere and not program.function(name).is_static]
        called_back += self._with_copies(program, own, elsewhere)
        taken = address_taken(program).union(called_back)
        named = {name for name in own if self._is_named(program, name)}
        if named:
            lonely = [name for name in own if not callers[name] and name not in taken]
            entries = named.union(name for name in lonely if not program.function(name).is_static)
        else:
            entries = {name for name in own if not program.function(name).is_static}
        allocating = leading_to(program, calling(program, _ALLOCATORS))
        public = frozenset(entries.union({MAIN}.intersection(own)))

        def comments(name: str) -> FunctionComments:
            return self._comments(program.function(name), is_named=name in named)

        return CallGraph(public, callers, taken, allocating, program, cache(comments))

    def _with_copies(self, program: Program, own: Iterable[str], elsewhere: frozenset[str]) -> list[str]:
        """The static functions of headers of which other files have copies, with callers of their own."""
        written = {name: program.function(name) for name in own if is_of_header(program.function(name))}
        statics = {name: function for name, function in written.items() if function.is_static}
        count = Counter((_file_of(each), each.source_name) for each in statics.values())
        return [
            name
            for name, each in statics.items()
            if count[_file_of(each), each.source_name] > 1 or _last_part(each.source_name) in elsewhere
        ]

    def is_in_header(self, name: str) -> bool:
        """Whether one of the project's headers has a name."""
        return any(name in words for path, words in self._words_by_file.items() if path.suffix not in COMPILED)

    def has_header(self, path: Path) -> bool:
        """Whether a header is one of the project's."""
        return path in self._parts

    def _comments(self, function: Function, *, is_named: bool) -> FunctionComments:
        """The comments of a function; those of headers if one names it."""
        name, file = _last_part(function.source_name), Path(_file_of(function))
        declared = [each for text in self._commented_headers for each in text.comments_of(name)] if is_named else []
        defined = [each for each in CommentedText(file).comments_of(name) if each.is_near] if file.suffix else []
        macros = {name: value for text in self._commented_headers for name, value in text.macros.items()}
        return FunctionComments(tuple(declared), tuple(defined), macros)

    @cached_property
    def _commented_headers(self) -> list[CommentedText]:
        return [CommentedText(path) for path in self._headers(self._sources)]

    def _is_named(self, program: Program, name: str) -> bool:
        """Whether a header or a user names the function. A static one counts in a header that only has such, if
        another file names it.
        """
        function = program.function(name)
        word = _last_part(function.source_name)
        if word not in self._words:
            return False
        if not function.is_static:
            return True
        file = _file_of(function)
        header = Path(file).resolve()
        if not is_of_header(function) or not self._is_named_outside(word, header):
            return False
        return not any(
            not other.is_static and _file_of(other) == file
            for other in map(program.function, program.defined)
            if other.name not in program.library
        )

    @cached_property
    def _words_by_file(self) -> Mapping[Path, frozenset[str]]:
        """The words of each source and header."""
        return {path: frozenset(_words_of(path)) for path in self._parts}

    def _is_named_outside(self, word: str, header: Path) -> bool:
        """Whether another file than a header names a function."""
        return any(word in words for path, words in self._words_by_file.items() if path.resolve() != header)

    @cached_property
    def is_all_header(self) -> bool:
        """Whether the project's functions are written in headers, and its sources are tests and examples."""
        own = (path for path in self._parts if path.suffix not in COMPILED and not self.is_of_users(path))
        return self.users.issuperset(self._paths) and any(syntax_of(text_of(path)).functions for path in own)

    def _words_elsewhere(self, program: Program) -> frozenset[str]:
        """The words of the project's files that are no part of a program."""
        others = [path for path in self._paths if str(path) not in program.sources]
        return frozenset().union(*[self._words_by_file[path] for path in others])

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of headers, and of the files that use the project."""
        own = [path for path in self._parts if path.suffix not in COMPILED and not self._parts[path] & _USING]
        own = [path for path in own if self._parts[path] & _INSTALLED] or own
        return frozenset().union(*[self._words_by_file[path] for path in (*own, *self.users)])

    @cached_property
    def users(self) -> frozenset[Path]:
        """The sources that are tests and examples: users of the project."""
        return frozenset(path for path in self._paths if self.is_of_users(path))

    def is_of_users(self, path: Path) -> bool:
        """Whether a source or header is part of a test or an example."""
        if _USER.match(path.stem) or self._parts.get(path, frozenset()) & _USING:
            return True
        return _PROGRAM_OR_USER.match(path.stem) is not None and path.parent not in self._with_programs

    @cached_property
    def _with_programs(self) -> frozenset[Path]:
        """The folders with several programs of names that tests do not have."""
        near = {path.parent for path in self._paths if _PROGRAM_OR_USER.match(path.stem)}
        others = (path for path in self._paths if path.parent in near and not _PROGRAM_OR_USER.match(path.stem))
        count = Counter(path.parent for path in others if not _USER.match(path.stem) and has_main(path))
        return frozenset(folder for folder, programs in count.items() if programs >= _TOOLS)

    @cached_property
    def _parts(self) -> dict[Path, frozenset[str]]:
        """The folders of each header and source, within the folder of all."""
        every = [*self._headers(self._sources), *self._paths]
        root = os.path.commonpath([os.path.abspath(each) for each in every] or [os.curdir])
        return {path: frozenset(Path(os.path.relpath(path, root)).parts[:-1]) for path in every}

    @property
    def _paths(self) -> list[Path]:
        return [source.path for source in self._sources if source.path.suffix in COMPILED]

    def words_in(self, source: BuildSource) -> frozenset[str]:
        """The words of a source, and of the headers that it includes."""
        return frozenset(word for path in (source.path, *self._headers((source,))) for word in _words_of(path))

    def _headers(self, sources: Sequence[BuildSource]) -> Iterator[Path]:
        """The headers that sources include, and those which these include, that are not a system's."""
        seen: set[Path] = set()
        for source in sources:
            folders = [*map(Path, folders_of(source.flags)), *self._include]
            waiting = [source.path] if source.path.suffix in COMPILED else []
            while waiting:
                current = waiting.pop()
                for _, name in included(current):
                    places = (folder / name for folder in (current.parent, *folders))
                    found = next((each.resolve() for each in places if each.is_file()), None)
                    if found is not None and found not in seen and found.suffix not in COMPILED:
                        seen.add(found)
                        waiting.append(found)
                        yield found


def _last_part(source_name: str) -> str:
    """A function's name without its namespaces, classes and template arguments."""
    return source_name.partition("<")[0].rpartition("::")[2]


def _file_of(function: Function) -> str:
    return "" if function.position is None else function.position.file


def include_folders(options: Options) -> list[str]:
    """The folders of headers that the user's options name."""
    return [*choose(options).compilation.include, *folders_of(starting.compile_options(options).flags)]


def _words_of(path: Path) -> Iterable[str]:
    """The words of a file's code and macros."""
    layout = _layout(path)
    macros = (each.text for each in layout.directives if _INCLUDED.match(each.text) is None)
    return (word for text in (layout.code, *macros) for word in _WORD.findall(text))


def _layout(path: Path) -> Layout:
    try:
        return Layout(text_of(path))
    except OSError:
        return Layout("")
