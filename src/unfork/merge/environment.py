"""What the library and the kernel model remember, joined key by key."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from unfork.execute.uninitialised import COPIED, LABELS
from unfork.logic.term import Term
from unfork.merge.value_choice import Choice, Unjoinable

Environment = dict[str, Any]

POINTERS_AND_SEEDS = {"strtok": 0, "rand": 0}
"""Values of 64 bits, with what stands for them before they are set."""
KERNEL = "kernel"


def joined_environment(choice: Choice, a: Environment, b: Environment) -> Environment:
    """The joined environment. Raises Unjoinable for a difference that has no joined form."""
    joined = a.copy()
    for key in (*a, *[key for key in b if key not in a]):
        mine, theirs = a.get(key), b.get(key)
        if mine is not theirs and mine != theirs:
            joined[key] = _joined(choice, key, mine, theirs)
        else:
            joined[key] = mine
    return joined


def one_sided_copies(a: Environment, b: Environment) -> frozenset[str]:
    """The inputs that stand for copied unwritten bytes and that one side alone has asked for: the other still may."""
    keys = [key for key in a.keys() ^ b.keys() if key.startswith(COPIED)]
    values = [a.get(key, b.get(key)) for key in keys]
    return frozenset(symbol.name for value in values if isinstance(value, Term) for symbol in value.symbols)


def _joined(choice: Choice, key: str, mine: Any, theirs: Any) -> Any:
    if key.startswith(LABELS):
        return max(mine or 0, theirs or 0)
    if key.startswith(COPIED) and (mine is None or theirs is None):
        return theirs if mine is None else mine
    start = POINTERS_AND_SEEDS.get(key)
    if start is not None:
        return choice.exact(start if mine is None else mine, start if theirs is None else theirs, 64)
    if key == KERNEL and mine is not None and theirs is not None:
        return joined_tables(choice, mine, theirs)
    raise Unjoinable(f"different {key}" if key.isidentifier() else "library state")


def joined_tables(choice: Choice, mine: Any, theirs: Any) -> Any:
    """Two records of one class: Values (64 bits) are joined, of tuples the parts; the rest must agree."""
    if mine is theirs or mine == theirs:
        return mine
    if isinstance(mine, tuple) and isinstance(theirs, tuple) and len(mine) == len(theirs):
        return tuple([joined_tables(choice, one, other) for one, other in zip(mine, theirs, strict=True)])
    if not is_dataclass(mine) or type(mine) is not type(theirs):
        raise Unjoinable("kernel state")
    changed = {}
    for field in fields(mine):
        one, other = getattr(mine, field.name), getattr(theirs, field.name)
        if one is not other and one != other:
            joins = field.type == "Value"
            changed[field.name] = choice.exact(one, other, 64) if joins else joined_tables(choice, one, other)
    return replace(mine, **changed)  # type: ignore[type-var]  # an instance, not a class
