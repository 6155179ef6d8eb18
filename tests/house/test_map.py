"""The tests lie where the code lies, and the tour has a picture of where that is, and names what is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "unfork"
PACKAGES = sorted(path.parent.relative_to(SOURCE) for path in SOURCE.rglob("__init__.py") if path.parent != SOURCE)
ROOMS = [package for package in PACKAGES if len(list((SOURCE / package).glob("*.py"))) > 1]
"""Packages with modules of their own, which wings do not have."""
_PLACED = re.compile(r"`([A-Za-z]\w*(?:\.\w+)?)`\s+(?:in\s+|\()`([\w/]+\.py)`")
"""A class or function of the tour with its module, as in: `Step` in `engine/step/step.py`."""
DOCUMENTS = sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("package", ROOMS, ids=str)
def test_every_package_has_a_folder_of_tests(package: Path) -> None:
    assert list((ROOT / "tests" / package).glob("test_*.py"))


def test_the_picture_of_the_tour_names_every_folder() -> None:
    picture = (ROOT / "docs" / "tour.md").read_text().split("```")[1]
    columns = [re.findall(r"[\w]+", line[:28]) for line in picture.strip().splitlines()]
    named = sorted(name for names in columns for name in names)
    assert named == sorted({package.parts[0] for package in PACKAGES})


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_modules_that_exist(path: Path) -> None:
    folders = "|".join(sorted({package.parts[0] for package in PACKAGES}))
    for name in re.findall(rf"`((?:{folders})/[\w/]+\.py)`", path.read_text()):
        assert (SOURCE / name).is_file(), name


def test_the_tour_names_classes_and_functions_that_exist() -> None:
    placed = _PLACED.findall((ROOT / "docs" / "tour.md").read_text())
    assert len(placed) > 40
    lost = [f"{name} in {module}" for name, module in placed if name not in _defined(SOURCE / module)]
    assert not lost


def _defined(module: Path) -> set[str]:
    """The classes and functions of a module, and methods as Class.method."""
    named = ast.ClassDef | ast.FunctionDef
    top = [node for node in ast.parse(module.read_text()).body if isinstance(node, named)]
    return {node.name for node in top} | {
        f"{node.name}.{member.name}" for node in top for member in node.body if isinstance(member, named)
    }
