"""The C library's functions whose results depend on arguments and memory alone, as the C standard has them."""

from __future__ import annotations

from unfork.library import ctype_functions, memory_functions, number_functions, string_functions

_OPEN = frozenset(("rand", "srand", "random", "srandom", "malloc_usable_size", "strcoll"))
"""What an implementation may choose."""
_EXACT = (
    "fabs",
    "fmin",
    "fmax",
    "fdim",
    "copysign",
    "ceil",
    "floor",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "sqrt",
    "fmod",
)
_MATHEMATICS = frozenset(
    (
        *[name + letter for name in (*_EXACT, "lrint", "lround", "llround", "remainder") for letter in ("", "f", "l")],
        *[name + letter for name in ("isnan", "isinf", "finite", "signbit") for letter in ("", "f", "l")],
        *[f"__{name}{letter}" for name in ("isnan", "isinf", "finite", "signbit") for letter in ("", "f", "l")],
        *[f"__fpclassify{letter}" for letter in ("", "f", "l")],
    )
)
ENDINGS = ("exit", "_Exit", "_exit", "abort", "__assert_fail", "__assert", "__assert_rtn")
"""Functions that do not return."""
_PRINTING = ("printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "fflush", "perror", "fwrite")
_SORTING = ("bsearch", "div", "ldiv", "lldiv", "atexit", "setjmp", "_setjmp", "longjmp")
CLOSED = frozenset(
    (
        *(*memory_functions.MODELS, *string_functions.MODELS, *ctype_functions.MODELS, *number_functions.MODELS),
        *(*_MATHEMATICS, *ENDINGS, *_PRINTING, *_SORTING),
    )
).difference(_OPEN)
"""Of printing only the effect: what is printed matters to nobody. malloc and its kin do not fail."""
