"""Commands load what they need: which modules there are tells of start-up time, without a clock."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from unfork.cli.commands import COMMANDS
from unfork.later import Later

SOURCE = Path(__file__).parents[2] / "src"
WATCH = """
import contextlib, io, json, sys
from unfork.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    statuses = [main(words) for words in json.loads(sys.argv[1])]
print(json.dumps([statuses, sorted(sys.modules)]))
"""
ALWAYS_HEAVY = frozenset(
    ("z3", "ray", "rich", "pygments", "tree_sitter", "asyncio", "ssl", "email", "http", "urllib.request")
)
"""What no run needs that asks nothing of these and draws nothing."""
HEAVY = ALWAYS_HEAVY | {"llvmlite", "bitwuzla", "sqlite3", "multiprocessing", "subprocess", "ctypes", "socket"}
HELP = [[], *([name] for name, home in COMMANDS.items() if home)]


def loaded(folder: Path, *commands: list[str]) -> set[str]:
    """The modules that are loaded after ``commands``, which all succeed, in a fresh process."""
    words = [sys.executable, "-c", WATCH, json.dumps(commands)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    statuses, modules = json.loads(done.stdout)
    assert statuses == [0] * len(commands)
    return set(modules)


def ours(modules: set[str]) -> Counter[str]:
    """How many modules of ours there are, by folder."""
    return Counter(name.split(".")[1] for name in modules if name.startswith("unfork."))


def test_the_version_needs_hardly_anything(tmp_path: Path) -> None:
    modules = loaded(tmp_path, ["--version"])
    assert not modules & HEAVY
    assert ours(modules).total() <= 25


def test_help_needs_no_engine(tmp_path: Path) -> None:
    helped = [[*words, "--help"] for words in HELP]
    modules = loaded(tmp_path, *helped, ["strategies"])
    assert not modules & HEAVY
    assert ours(modules).keys().isdisjoint(("wiring", "execute", "state", "logic", "merge", "prune", "race"))
    assert ours(modules).total() <= 40


def test_a_run_loads_what_it_uses(tmp_path: Path) -> None:
    (tmp_path / "empty.c").write_text("int main(void) { return 0; }\n")
    modules = loaded(tmp_path, ["run", "empty.c", "--quiet", "--libc", "none"])
    assert not modules & ALWAYS_HEAVY
    folders = ours(modules)
    assert folders.keys().isdisjoint(("audit", "spec", "page", "formats", "plugins", "toolchain"))
    assert folders["merge"] <= 6
    assert folders["prune"] <= 8
    assert folders.total() <= 360


def test_a_script_that_imports_unfork_pays_for_what_it_uses() -> None:
    words = [sys.executable, "-c", "import sys, unfork; print(*[name for name in sys.modules if 'unfork' in name])"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.split() == ["unfork"]


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(SOURCE.rglob("*.py")) if "import Later" in path.read_text()],
    ids=lambda path: str(path.relative_to(SOURCE / "unfork")),
)
def test_what_is_loaded_later_is_an_import_for_those_who_read(path: Path) -> None:
    """mypy and the contract of layers see the same module under the same name."""
    tree = ast.parse(path.read_text())
    for node in [node for node in tree.body if isinstance(node, ast.If) and node.orelse]:
        seen = {}
        for each in node.body:
            if isinstance(each, ast.ImportFrom):
                seen |= {name.asname or name.name: f"{each.module}.{name.name}" for name in each.names}
            elif isinstance(each, ast.Import):
                seen |= {name.asname or name.name: name.name for name in each.names}
        for each in node.orelse:
            assert isinstance(each, ast.Assign)
            (target,) = each.targets
            assert isinstance(target, ast.Name)
            assert isinstance(each.value, ast.Call)
            (module,) = each.value.args
            assert isinstance(module, ast.Constant)
            assert seen[target.id] == module.value


def test_a_module_that_stands_for_another_is_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    later = Later("json")
    assert later.loads is json.loads
    monkeypatch.setattr(json, "loads", len)
    assert later.loads("four") == 4
