"""Which modules does no test of their own folder run? Prints them, folder by folder.

``python -m bench.reached [FOLDER ...]`` runs each folder's tests in a process of their own, in which every function of
the folder notes that its module was reached. A module without functions is left out. What tests start as commands is
not seen: `unfork cc` (toolchain) and the jail (replay).
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "unfork"
_NOTE = "__reached_by_a_call__"


class _Noting(SourceFileLoader):
    """Loads a module whose functions note that they are called."""

    def __init__(self, name: str, path: str, reached: set[str]) -> None:
        super().__init__(name, path)
        self._reached = reached

    def get_code(self, fullname: str) -> CodeType:
        """The module's code, compiled from its source each time."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                noting = ast.parse(f"{_NOTE}({fullname!r})").body
                for node in ast.walk(noting[0]):
                    ast.copy_location(node, function.body[0])
                function.body[:0] = noting
        code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec")
        return code

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, _NOTE, self._reached.add)
        super().exec_module(module)


class _Finder(MetaPathFinder):
    """Finds the modules of one package."""

    def __init__(self, package: str, reached: set[str]) -> None:
        self._package = package
        self._reached = reached

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(self._package + "."):
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and spec.origin is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Noting(fullname, spec.origin, self._reached)
        return spec


def modules(folder: str) -> list[str]:
    """The modules of a folder that have functions, by their full names."""
    paths = sorted((SOURCE / folder).rglob("*.py"))
    return [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in paths if _has_functions(path)]


def _has_functions(path: Path) -> bool:
    return any(
        isinstance(node, ast.FunctionDef) and len(node.body) > 0 and not _is_abstract(node)
        for node in ast.walk(ast.parse(path.read_text()))
    )


def _is_abstract(function: ast.FunctionDef) -> bool:
    """Whether a function only has a docstring or an ellipsis, as those of Protocols."""
    return all(
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) for statement in function.body
    )


def run_folder(folder: str) -> int:
    """Run the folder's tests in this process; print the modules that they do not reach."""
    reached: set[str] = set()
    sys.meta_path.insert(0, _Finder(f"unfork.{folder}", reached))
    status = pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", str(ROOT / "tests" / folder)])
    missing = [name for name in modules(folder) if name not in reached]
    print(f"{folder}: {len(modules(folder)) - len(missing)} of {len(modules(folder))} modules reached", *missing)
    return 1 if missing or status else 0


def main() -> int:
    """Each folder in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", help="of src/unfork (default: all)")
    every = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file())
    folders = parser.parse_args().folders or every
    if len(folders) == 1:
        return run_folder(folders[0])
    failed = 0
    for folder in folders:
        command = [sys.executable, "-m", "bench.reached", folder]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(ran.stdout.strip().splitlines()[-1], flush=True)
        failed |= ran.returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
