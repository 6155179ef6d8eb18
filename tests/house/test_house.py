"""What the repository promises about itself: sizes, targets, pins, documents."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.house.sources import parsed
from unfork.cli.manual import options_page

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
DECISIONS = set((ROOT / "docs" / "decisions").glob("*.md"))
LONGEST_FUNCTION = 60
LONGEST_DECISION, LONGEST_DECISIONS = 80, 12_000
"""Words of one decision, and of all of them."""
SETUP = ("Makefile", "pyproject.toml", *[f"requirements-{name}.lock" for name in ("dev", "cluster", "docs")])
"""What make needs to set up .venv."""


class Offences:
    """Where the sources break a rule, each place as file and line. A file is parsed once for all rules."""

    def __init__(self) -> None:
        self.long: list[str] = []
        self.imports_inside: list[str] = []
        self.needed_asserts: list[str] = []
        for path in SOURCES:
            for node in ast.walk(parsed(path)):
                if isinstance(node, ast.FunctionDef):
                    self._look_at(node, f"{path}:{node.lineno}")
                if rests_on_asserts(node):
                    self.needed_asserts.append(f"{path}: {ast.unparse(node)}")

    def _look_at(self, function: ast.FunctionDef, place: str) -> None:
        assert function.end_lineno is not None
        if function.end_lineno - function.lineno >= LONGEST_FUNCTION:
            self.long.append(place)
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function)):
            self.imports_inside.append(place)


def rests_on_asserts(node: ast.AST) -> bool:
    """Whether somebody waits for an assert to fail, or its condition does more than look."""
    match node:
        case ast.ExceptHandler(type=ast.expr() as caught):
            return "AssertionError" in ast.unparse(caught)
        case ast.Call(func=ast.Name("suppress") | ast.Attribute(attr="suppress"), args=caught):
            return any("AssertionError" in ast.unparse(kind) for kind in caught)
        case ast.Assert(test=condition):
            return any(_does_more_than_look(inside) for inside in ast.walk(condition))
        case ast.Name("__debug__"):
            return True
    return False


def _does_more_than_look(node: ast.AST) -> bool:
    match node:
        case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
            return True
        case ast.Call(func=function):
            return ast.unparse(function) not in ("isinstance", "len", "type")
    return False


@pytest.fixture(scope="module")
def offences() -> Offences:
    return Offences()


def test_functions_stay_short(offences: Offences) -> None:
    assert offences.long == []


def test_nothing_is_imported_inside_a_function(offences: Offences) -> None:
    assert offences.imports_inside == []


def test_no_behaviour_rests_on_asserts(offences: Offences) -> None:
    """``python -O`` leaves them out."""
    assert offences.needed_asserts == []


def test_make_help_lists_the_targets() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    for target in ("demo", "test", "check", "bench", "bench-csmith", "help"):
        assert re.search(rf"^  make {target} ", done.stdout, re.MULTILINE), target


@pytest.mark.parametrize("python", ["no-such-python", "false"])
def test_make_refuses_an_unfit_python_in_one_line(python: str, tmp_path: Path) -> None:
    for name in SETUP:
        (tmp_path / name).write_text((ROOT / name).read_text())
    done = subprocess.run(
        ["make", "setup", f"PYTHON={python}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    complaints = [line for line in done.stderr.splitlines() if "Python 3.11" in line]
    assert len(complaints) == 1
    assert not (tmp_path / ".venv").exists()


def test_make_says_which_module_is_missing(tmp_path: Path) -> None:
    for name in SETUP:
        (tmp_path / name).write_text((ROOT / name).read_text())
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *ensurepip*) exit 1;; esac\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "setup", f"PYTHON={python}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert len([line for line in done.stderr.splitlines() if "python3-venv" in line]) == 1


def test_continuous_integration_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text()


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + [name for extra in project["optional-dependencies"].values() for name in extra]
    locks = sorted(ROOT.glob("requirements-*.lock"))
    lines = [line for lock in locks for line in lock.read_text().splitlines()]
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9.]+", pin) for pin in pins)
    pinned = {pin.partition("==")[0].lower().replace("_", "-") for pin in pins}
    assert {re.split(r"[<>=]", name)[0] for name in wanted} <= pinned


def test_the_page_of_options_is_what_the_options_say() -> None:
    assert (ROOT / "docs" / "options.md").read_text() == options_page(), "run 'make generated'"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_point_at_what_exists(path: Path) -> None:
    text = path.read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (path.parent / target).exists(), target
    for name in re.findall(r"`((?:src|tests|docs|examples|bench)/[\w./-]+)`", text):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"`((?:logic|program|engine|world|reduce|report|commands)/[\w/]+\.py)`", text):
        assert (ROOT / "src" / "unfork" / name).exists(), name


def test_the_index_of_decisions_lists_each_page() -> None:
    pages = DECISIONS - {ROOT / "docs" / "decisions" / "index.md"}
    listed = re.findall(r"^\| \[.*\]\((.*)\) \|", (ROOT / "docs" / "decisions" / "index.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(page.name for page in pages)


def test_decisions_are_short() -> None:
    texts = [page.read_text() for page in DECISIONS]
    decisions = [text for page in texts for text in re.split(r"^## ", page, flags=re.MULTILINE)[1:]]
    assert [text for text in decisions if len(text.split()) > LONGEST_DECISION] == []
    assert sum(len(text.split()) for text in texts) <= LONGEST_DECISIONS
