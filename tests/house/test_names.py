"""Names identify: a public class, and a module, has a name that no other has."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import unfork
from tests.house.sources import parsed

SOURCES = sorted(Path(unfork.__file__).parent.rglob("*.py"))


def test_no_two_public_classes_have_one_name() -> None:
    names = Counter(
        node.name
        for path in SOURCES
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert sorted(name for name, count in names.items() if count > 1) == []


def test_no_two_modules_have_one_name() -> None:
    names = Counter(path.stem for path in SOURCES if path.stem != "__init__")
    assert [name for name, count in names.items() if count > 1] == []
