"""Decisions are not taken from English: nobody compares, searches or takes apart the sentence of a fault."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import unfork
from tests.house.sources import parsed

SOURCE = Path(unfork.__file__).parent
SEARCHES = frozenset(("search", "match", "fullmatch", "sub", "findall", "finditer", "split"))
LOOKS = frozenset(
    ("startswith", "endswith", "partition", "rpartition", "find", "index", "removeprefix", "removesuffix")
)


def is_message(node: ast.expr) -> bool:
    """Whether an expression is the message of a fault, a finding or an error of a summary."""
    match node:
        case ast.Attribute(attr="message"):
            return True
        case ast.Subscript(slice=ast.Constant(value="message")):
            return True
        case ast.Name(id="message"):
            return True
    return False


def decisions(tree: ast.AST) -> Iterator[int]:
    """The lines where a message decides."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=comparators) if any(map(is_message, (left, *comparators))):
                yield node.lineno
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in LOOKS and is_message(value):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in SEARCHES and any(map(is_message, args)):
                yield node.lineno


def test_no_decision_reads_a_message() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in decisions(parsed(path))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "x = fault.message == 'no'",
        "x = 'read' in fault.message",
        "x = error['message'].startswith('read')",
        "x = NAMED.search(message)",
        "x = re.sub('a', 'b', fault.message)",
    ],
)
def test_a_decision_on_a_message_is_seen(text: str) -> None:
    assert list(decisions(ast.parse(text))) == [1]
