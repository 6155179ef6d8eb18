"""The import contracts hold, and each of them breaks when a module oversteps it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = (
    ("plugins",),
    ("cli",),
    ("api", "toolchain"),
    ("wiring",),
    ("race",),
    ("page", "formats"),
    ("report", "replay"),
    ("audit",),
    ("spec",),
    ("merge", "prune"),
    ("explore", "inputs"),
    ("environment",),
    ("library",),
    ("execute",),
    ("contracts",),
    ("state",),
    ("logic", "facts"),
    ("llvm",),
    ("clang",),
    ("options",),
    ("errors",),
)
"""The folders, from the one that may import all others down to the one that imports none."""
LIBRARIES = (
    *("llvmlite", "bitwuzla", "z3", "rich", "pygments", "pytest", "msgspec", "tree_sitter"),
    *("multiprocessing", "ray", "subprocess", "sqlite3"),
    *("click", "yaml"),
)


def _lint(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "COLUMNS": "200"}
    return subprocess.run(
        [*command, "--no-cache", "--config", str(root / "pyproject.toml")],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its contracts, to be broken."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def _some_module(root: Path, layer: str) -> Path:
    """A module of the layer that no contract names."""
    place = root / "src" / "unfork" / layer
    if not place.is_dir():
        return place.with_suffix(".py")
    module = place / "overstepping.py"
    module.touch()
    return module


def _append(module: Path, line: str) -> None:
    with module.open("a") as file:
        file.write(f"\n{line}\n")


def test_contracts_hold() -> None:
    done = _lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_contract_is_broken_by_some_test_here() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert {contract["id"] for contract in contracts} == {"layers", "names", "audit", *LIBRARIES}


def test_no_layer_may_import_one_above_or_beside_it(copy: Path) -> None:
    expected = []
    for upper, lower in pairwise(LAYERS):
        _append(_some_module(copy, lower[0]), f"import unfork.{upper[-1]}")
        expected.append((lower[0], upper[-1]))
    for layer in LAYERS:
        if len(layer) == 2:
            _append(_some_module(copy, layer[1]), f"import unfork.{layer[0]}")
            expected.append((layer[1], layer[0]))
    done = _lint(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    for importer, imported in expected:
        assert f"unfork.{importer} is not allowed to import unfork.{imported}:" in done.stdout


def test_a_new_folder_must_find_its_layer(copy: Path) -> None:
    (copy / "src" / "unfork" / "misc.py").touch()
    done = _lint(copy)
    assert done.returncode == 1
    assert "misc" in done.stdout


def test_a_part_may_not_look_at_the_options(copy: Path) -> None:
    _append(_some_module(copy, "explore"), "from unfork.options import Options")
    done = _lint(copy)
    assert done.returncode == 1
    assert "unfork.explore is not allowed to import unfork.options:" in done.stdout


def test_an_audit_may_not_use_what_it_proves(copy: Path) -> None:
    module = _some_module(copy, "audit")
    used = ("merge.joined_paths", "logic.build", "logic.chain")
    for name in used:
        _append(module, f"import unfork.{name}")
    done = _lint(copy)
    assert done.returncode == 1
    assert "An audit shares no code with what it proves BROKEN" in done.stdout
    for name in used:
        assert f"unfork.audit.overstepping -> unfork.{name}" in done.stdout


def test_no_second_module_may_import_an_outside_library(copy: Path) -> None:
    module = _some_module(copy, "state")
    for library in LIBRARIES:
        _append(module, f"import {library}")
    done = _lint(copy)
    assert done.returncode == 1
    for library in LIBRARIES:
        assert f"unfork is not allowed to import {library}:" in done.stdout
