"""The modelled functions by C name: the C library's, unfork's, KLEE's and the verifiers'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from unfork.engine.step.handlers import Handler
from unfork.world.library import (
    cpp_functions,
    cprover_api,
    ctype_functions,
    fuzz_input,
    klee_api,
    known_text,
    library_locks,
    locks,
    math_library,
    memory_functions,
    number_functions,
    numerals,
    print_functions,
    process_functions,
    sanitizer_functions,
    string_functions,
    thread_models,
    transcendental,
    unfork_api,
    verifier_api,
)
from unfork.world.library.intrinsics import Intrinsics
from unfork.world.library.model import FunctionModel, handler_of

_INNER_NAMES = {
    **{f"__libc_{name}": memory_functions.MODELS[name] for name in ("malloc", "calloc", "realloc", "free")},
    "__memrchr": memory_functions.MODELS["memrchr"],
    **{f"__{name}": string_functions.MODELS[name] for name in ("stpcpy", "stpncpy", "strchrnul")},
}
"""musl's internal names for some modelled functions."""
C_LIBRARY: tuple[Mapping[str, FunctionModel], ...] = (
    memory_functions.MODELS,
    string_functions.MODELS,
    ctype_functions.MODELS,
    number_functions.MODELS,
    process_functions.MODELS,
    print_functions.MODELS,
    numerals.MODELS,
    known_text.MODELS,
    math_library.MODELS,
    locks.MODELS,
    library_locks.MODELS,
    thread_models.MODELS,
    cpp_functions.MODELS,
    _INNER_NAMES,
)
TOOLS: tuple[Mapping[str, FunctionModel], ...] = (
    unfork_api.MODELS,
    fuzz_input.MODELS,
    klee_api.MODELS,
    verifier_api.MODELS,
    cprover_api.MODELS,
    sanitizer_functions.MODELS,
)


LEFT_TO_LIBC = frozenset(
    (
        *print_functions.MODELS,
        *("strtod", "atof", "random", "srandom"),
        *(name + letter for name in ("frexp", "ilogb", "logb") for letter in ("", "f", "l")),
        *("ldexpl", "scalbnl", "scalblnl"),
        *("getenv", "secure_getenv", "time", "clock", "sleep", "usleep", "setlocale", "quick_exit"),
        *("getchar", "getchar_unlocked", "getc", "fgetc", "fgets", "fread", "read"),
        *("scanf", "__isoc99_scanf", "__isoc23_scanf"),
        *(name + letter for name in (*transcendental.UNARY, *transcendental.BINARY) for letter in ("", "f", "l")),
    )
)
"""Models for use without a C library: they approximate, or cannot handle every argument."""


PURE = frozenset((*ctype_functions.MODELS, *sanitizer_functions.MODELS))
"""Models that only compute a value, without forks, or always fault."""


class Library:
    """Finds the model of a function that the program does not define.

    ``override`` names the few whose model wins over the program's definition.
    """

    def __init__(self, tables: Iterable[Mapping[str, FunctionModel]]) -> None:
        self._models: dict[str, FunctionModel] = {}
        for table in tables:
            self._models.update(table)
        self._intrinsics = Intrinsics()

    def find(self, name: str) -> Handler | None:
        intrinsic = self._intrinsics.find(name)
        if intrinsic is not None:
            return intrinsic
        model = self._models.get(name) or verifier_api.nondet_model(name)
        return None if model is None else handler_of(name, model)

    def override(self, name: str) -> Handler | None:
        return self.find(name) if name in verifier_api.OVERRIDES else None

    def is_pure(self, name: str) -> bool:
        return name in PURE

    def sizes(self, name: str) -> tuple[int, ...]:
        model = self._models.get(name)
        return self._intrinsics.sizes(name) if model is None else model.sizes()

    def names(self) -> list[str]:
        return sorted(self._models)


class Restricted:
    """A library without the functions ``missing``."""

    def __init__(self, library: Library, missing: frozenset[str]) -> None:
        self._library = library
        self._missing = missing

    def find(self, name: str) -> Handler | None:
        return None if name in self._missing else self._library.find(name)

    def override(self, name: str) -> Handler | None:
        return None if name in self._missing else self._library.override(name)

    def is_pure(self, name: str) -> bool:
        return self._library.is_pure(name)

    def sizes(self, name: str) -> tuple[int, ...]:
        return () if name in self._missing else self._library.sizes(name)
