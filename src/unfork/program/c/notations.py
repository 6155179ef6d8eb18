"""The notations of conditions: their words, operators and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

RELATIONS, BITS = ("==", "!=", "<", "<=", ">", ">="), (("|",), ("^",), ("&",))
_TIGHT = (("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_LEVELS = (("||",), ("&&",), *BITS, RELATIONS[:2], RELATIONS[2:], *_TIGHT)


@dataclass(frozen=True, slots=True)
class Notation:
    """A notation's words, each with its meaning here, its operators (the loosest first), and its own types.

    With ``chains``, ``a <= b < c`` means a <= b and b < c, conditions may have names, and a quantifier takes the
    rest of the expression. ``longest`` is the most operators in a row.
    """

    words: Mapping[str, str]
    levels: tuple[tuple[str, ...], ...]
    types: frozenset[str] = frozenset()
    chains: bool = False
    longest: int = 200


ACSL = Notation(
    {
        **{f"\\{word}": word for word in ("old", "at", "result", "null", "true", "false", "valid", "separated")},
        **{word: word for word in ("true", "false")},
        **{f"\\{word}": word for word in ("valid_read", "valid_range", "forall", "exists", "let", "abs", "min", "max")},
        **{f"\\{word}": word for word in ("union", "empty")},
    },
    (("<==>",), ("==>",), ("||",), ("^^",), ("&&",), RELATIONS, *BITS, *_TIGHT),
    frozenset(("integer", "boolean", "real")),
    True,
)
CPROVER = Notation(
    {
        **{f"__CPROVER_{word}": word for word in ("old", "forall", "exists", "r_ok", "w_ok", "rw_ok")},
        **{f"__CPROVER_{word}": word for word in ("loop_entry", "object_whole", "object_upto", "object_from")},
        **{f"__CPROVER_{word}": word for word in ("typed_target", "same_object", "pointer_in_range", "pointer_equals")},
        "__CPROVER_POINTER_OFFSET": "offset",
        "__CPROVER_OBJECT_SIZE": "size",
        "__CPROVER_pointer_in_range_dfcc": "pointer_in_range",
        "__CPROVER_return_value": "result",
        "__CPROVER_is_fresh": "fresh",
        "__CPROVER_loop_old": "loop_entry",
        "true": "true",
        "false": "false",
    },
    (("<==>",), ("==>",), *_LEVELS),
    frozenset(("__CPROVER_bool", "__CPROVER_integer")),
)
PLAIN = Notation({"true": "true", "false": "false"}, _LEVELS)
"""Plain C."""
LONG_PLAIN = Notation(PLAIN.words, _LEVELS, longest=10_000)
"""Plain C as tools write it."""
