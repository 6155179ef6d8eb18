"""The notations of contracts: their words, operators and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unfork.clang.c_expression import LEVELS

RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
BITS = (("|",), ("^",), ("&",))


@dataclass(frozen=True, slots=True)
class Notation:
    """One notation's words, each with what it means here, its operators (the loosest first), and its own types.

    With ``chains``, ``a <= b < c`` says that a <= b and b < c, names may stand in front of conditions, and a quantifier
    takes all that follows.
    """

    words: Mapping[str, str]
    levels: tuple[tuple[str, ...], ...]
    types: frozenset[str]
    chains: bool


ACSL = Notation(
    {
        **{f"\\{word}": word for word in ("old", "at", "result", "null", "true", "false", "valid", "separated")},
        **{word: word for word in ("true", "false")},
        **{f"\\{word}": word for word in ("valid_read", "valid_range", "forall", "exists", "let", "abs", "min", "max")},
    },
    (("<==>",), ("==>",), ("||",), ("^^",), ("&&",), RELATIONS, *BITS, *LEVELS[7:]),
    frozenset(("integer", "boolean", "real")),
    True,
)
CPROVER = Notation(
    {
        **{f"__CPROVER_{word}": word for word in ("old", "forall", "exists", "r_ok", "w_ok", "rw_ok")},
        **{f"__CPROVER_{word}": word for word in ("loop_entry", "object_whole", "object_upto", "typed_target")},
        "__CPROVER_return_value": "result",
        "__CPROVER_is_fresh": "fresh",
        "__CPROVER_loop_old": "loop_entry",
        "true": "true",
        "false": "false",
    },
    (("<==>",), ("==>",), *LEVELS),
    frozenset(("__CPROVER_bool", "__CPROVER_integer")),
    False,
)
PLAIN = Notation({"true": "true", "false": "false"}, LEVELS, frozenset(), False)
"""C alone."""
