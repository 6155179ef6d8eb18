"""The libraries to link programs with: musl, and libc++ for C++, each compiled once into the user's cache."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from unfork.engine.step.statics import MAKERS_OF_THREADS
from unfork.errors import InputError
from unfork.program.llvm import binding, compilation_cache
from unfork.program.llvm.layout import is_narrow
from unfork.program.llvm.linking import Lacking
from unfork.world.libc import build_store, framework_build, fuzz_driver, library_build
from unfork.world.libc.build_store import UNFINISHED, Progress, Report
from unfork.world.libc.cpp_build import CPP
from unfork.world.libc.library_build import INDEX, MEMBERS, Recipe, Symbols
from unfork.world.libc.musl_build import MUSL, NARROW_MUSL

C_LIBRARY, NARROW_C_LIBRARY, CPP_LIBRARY = MUSL, NARROW_MUSL, CPP
READY = Path(__file__).parents[2] / "ready"
"""Libraries that came along in the wheel, by key. One whose sources or compiler are not the user's is not used."""
LEFT_TO_NARROW_LIBC = frozenset(
    (
        *("atol", "labs", "lround", "lrint", "lroundf", "lrintf", "lroundl", "lrintl"),
        *("__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"),
    )
)
"""Functions whose models have a long, or a table, for pointers of 64 bits."""
_OF_CPP = ("_Z", "__cxa_", "__gxx_")
"""Prefixes of names that only C++ needs; functions for static variables and exits are C++'s too."""


class Libc:
    """Links programs with the members that they need.

    ``is_given`` accepts names that the engine models; ``of_threads`` are those that it models only in programs with
    threads: others use the library's locks.
    """

    def __init__(self, is_given: Callable[[str], bool], of_threads: Collection[str], progress: Progress) -> None:
        self._is_given = is_given
        self._of_threads = of_threads
        self._progress = progress

    def complete(self, module: binding.Module) -> frozenset[str]:
        """Link the needed members into ``module``; returns the names of added functions.

        The program's own definitions win. Raises Lacking for libraries to be built first, and InputError.
        """
        defined, needed = binding.symbols(module)
        has_threads = any(function.name in MAKERS_OF_THREADS for function in module.functions)

        narrow = LEFT_TO_NARROW_LIBC if is_narrow(module.triple) else frozenset()

        def is_given(name: str) -> bool:
            return name not in narrow and self._is_given(name) and (has_threads or name not in self._of_threads)

        wanted = {name for name in needed if not is_given(name)}
        of_fuzzers = fuzz_driver.needs(defined, wanted)
        wanted |= of_fuzzers
        if not wanted:
            return frozenset()
        frameworks = framework_build.used((*defined, *wanted), lambda: str(module))
        if frameworks:
            wanted |= {"main", *[framework.entry for framework in frameworks]}
        is_cpp = any(name.startswith(_OF_CPP) for name in wanted)
        if is_narrow(module.triple):
            if is_cpp or frameworks or of_fuzzers:
                raise InputError("C++, frameworks of tests and fuzz targets need pointers of 64 bits")
            recipes = [NARROW_C_LIBRARY]
        else:
            recipes = [C_LIBRARY, CPP_LIBRARY] if is_cpp else [C_LIBRARY]
        recipes += [framework.recipe() for framework in frameworks]
        recipes += [fuzz_driver.DRIVER] if of_fuzzers else []
        lacking = [recipe.name for recipe in recipes if not is_built(recipe)]
        if lacking:
            raise Lacking(lacking)
        library = Built([_folder(recipe) for recipe in recipes])
        members = library.archive.closure(wanted, defined, is_given)
        if not members:
            return frozenset()
        theirs = frozenset(defined)
        parts: list[binding.Module] = []
        for name in members:
            part = library.module(name)
            binding.yield_to(part, theirs & library.archive.symbols(name).strong)
            parts.append(part)
        while len(parts) > 1:  # by halves, since each link reads the whole module that it adds to
            for part, next_part in zip(parts[::2], parts[1::2], strict=False):
                binding.link(part, next_part, Path("libc"))
            parts = parts[::2]
        binding.link(module, parts[0], Path("libc"))
        added, _ = binding.symbols(module)
        return frozenset(added) - theirs

    def build(self, names: Sequence[str]) -> None:
        """Build the libraries of these names. Raises InputError."""
        every = [
            C_LIBRARY,
            NARROW_C_LIBRARY,
            CPP_LIBRARY,
            fuzz_driver.DRIVER,
            *[framework.recipe() for framework in framework_build.FRAMEWORKS],
        ]
        for recipe in every:
            if recipe.name in names:
                build(self._progress, recipe)


class Archive:
    """Members by name, with their symbols. Strong definitions win over weak ones, then earlier members over later."""

    def __init__(self, members: Mapping[str, Symbols]) -> None:
        self._members = members
        self._provider: dict[str, str] = {}
        for kind in ("strong", "weak"):
            for name, symbols in members.items():
                for symbol in sorted(getattr(symbols, kind)):
                    self._provider.setdefault(symbol, name)

    def symbols(self, member: str) -> Symbols:
        return self._members[member]

    def closure(self, needed: Iterable[str], defined: Iterable[str], is_given: Callable[[str], bool]) -> list[str]:
        """The members that define ``needed`` and, in turn, the needs of those members, in order of discovery.

        Skips symbols that are ``defined``, even weakly, and those that ``is_given`` accepts.
        """
        known = set(defined)
        waiting = sorted(needed)
        chosen: dict[str, None] = {}
        for symbol in waiting:  # grows
            member = self._provider.get(symbol)
            if symbol in known or member is None or member in chosen or is_given(symbol):
                continue
            chosen[member] = None
            symbols = self._members[member]
            known |= symbols.strong
            known |= symbols.weak
            waiting.extend(sorted(symbols.needed - known))
        return list(chosen)


class Built:
    """Libraries in folders of the cache."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._places: dict[str, tuple[Path, int, int, int]] = {}
        members: dict[str, Symbols] = {}
        for folder in folders:
            for entry in json.loads((folder / INDEX).read_text()):
                name = entry["name"]
                self._places[name] = (folder, entry["start"], entry["size"], entry["check"])
                members[name] = Symbols(*(frozenset(entry[kind]) for kind in ("strong", "weak", "needed")))
        self.archive = Archive(members)

    def module(self, name: str) -> binding.Module:
        """One member, parsed. Raises InputError if it is damaged."""
        folder, start, size, check = self._places[name]
        with open(folder / MEMBERS, "rb") as file:
            file.seek(start)
            data = file.read(size)
        if len(data) != size or zlib.crc32(data) != check:
            raise InputError(f"the library in {folder} is damaged: run 'unfork cache clear'")
        return binding.parse(data)


def build(progress: Progress, recipe: Recipe) -> Path:
    """The folder of a library; builds it if it is missing.

    The folder gets its name only when complete. A build reuses the files that an interrupted one has compiled.
    Raises InputError, in one line, if the folder cannot be written.
    """
    folder = _folder(recipe)

    def make(home: Path, report: Report) -> None:
        _finish(recipe, home / f"{UNFINISHED}{folder.name}", folder, report)

    lock = f"{folder.name.partition('-')[0]}.lock"
    build_store.obtain(progress, build_store.OneOff(recipe.name, lock, lambda: is_built(recipe), make))
    return folder


def _folder(recipe: Recipe) -> Path:
    key = recipe.key()
    return READY / key if (READY / key / INDEX).is_file() else compilation_cache.folder() / key


def _finish(recipe: Recipe, unfinished: Path, folder: Path, report: Report) -> None:
    for left in unfinished.parent.glob(f"{unfinished.name.rpartition('-')[0]}-*"):
        if left != unfinished:
            shutil.rmtree(left, ignore_errors=True)
    unfinished.mkdir(exist_ok=True)
    try:
        library_build.build(recipe, unfinished, report)
    except InputError:  # kept files may be damaged: the next build begins anew
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def is_built(recipe: Recipe) -> bool:
    """Whether a library is there. A folder gets its name once complete; later damage shows on reading."""
    folder = _folder(recipe)
    try:
        return (folder / INDEX).stat().st_size > 0 and (folder / MEMBERS).stat().st_size > 0
    except OSError:
        return False
