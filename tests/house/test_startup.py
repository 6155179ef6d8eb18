"""Commands load what they need: which modules there are tells of start-up time, without a clock."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.house.sources import parsed
from unfork.cli.commands import COMMANDS
from unfork.later import LATER

SOURCE = Path(__file__).parents[2] / "src"
WATCH = """
import contextlib, io, json, sys
from unfork.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    statuses = [main(words) for words in json.loads(sys.argv[1])]
loaded = [name for name, module in sys.modules.items() if type(module).__name__ != "LaterModule"]
print(json.dumps([statuses, sorted(loaded)]))
"""
ALWAYS_HEAVY = frozenset(
    ("z3", "ray", "rich", "pygments", "tree_sitter", "asyncio", "ssl", "email", "http", "urllib.request")
)
"""What no run needs that asks nothing of these and draws nothing."""
HEAVY = ALWAYS_HEAVY | {"llvmlite", "bitwuzla", "sqlite3", "multiprocessing", "subprocess", "ctypes", "socket"}
FOLDERS = {".".join(path.parent.relative_to(SOURCE).parts) for path in SOURCE.rglob("__init__.py")}
ENGINE = ("commands.assemble", "commands.run", "engine.step", "engine.state", "logic.terms", "reduce.merge")
NOT_IN_A_RUN = ("reduce.audit", "commands.verify", "report.page", "report.formats", "plugins", "commands.cc")
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
    """How many modules of ours there are, by folder; a folder in which one is only found has a package, and none."""
    return Counter(".".join(name.split(".")[1:-1]) for name in modules - FOLDERS if name.startswith("unfork."))


def test_the_version_needs_hardly_anything(tmp_path: Path) -> None:
    modules = loaded(tmp_path, ["--version"])
    assert not modules & (HEAVY - {"email", "socket", "subprocess"})  # it asks packages for their versions, and git
    assert ours(modules).total() <= 25


def test_help_needs_no_engine(tmp_path: Path) -> None:
    helped = [[*words, "--help"] for words in HELP]
    modules = loaded(tmp_path, *helped, ["strategies"])
    assert not modules & HEAVY
    assert ours(modules).keys().isdisjoint(ENGINE)
    assert ours(modules).total() <= 40


def test_a_run_loads_what_it_uses(tmp_path: Path) -> None:
    (tmp_path / "empty.c").write_text("int main(void) { return 0; }\n")
    modules = loaded(tmp_path, ["run", "empty.c", "--quiet", "--libc", "none"])
    assert not modules & ALWAYS_HEAVY
    folders = ours(modules)
    assert folders.keys().isdisjoint(NOT_IN_A_RUN)
    assert folders["reduce.merge"] <= 6
    assert folders["reduce.prune"] <= 8
    assert folders.total() <= 373


def test_a_script_that_imports_unfork_pays_for_what_it_uses() -> None:
    words = [sys.executable, "-c", "import sys, unfork; print(*[name for name in sys.modules if 'unfork' in name])"]
    loaded_at_once = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    assert sorted(loaded_at_once) == ["unfork", "unfork.later"]


def test_what_is_loaded_later_is_a_module_that_is_imported_as_one() -> None:
    """A name that is left over, or a name out of such a module at the start of another, would undo it in silence."""
    imported: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in parsed(path).body:
            match node:
                case ast.ImportFrom(module=str(module), names=names):
                    imported |= {f"{module}.{each.name}" for each in names}
                case ast.Import(names=names):
                    imported |= {each.name for each in names}
    assert imported >= LATER
    assert all(importlib.util.find_spec(name) is not None for name in LATER)


ONE_OF_THEM = """
import sys, unfork
from unfork.later import LATER, LaterModule
from unfork.report.formats import testcomp
assert type(testcomp) is LaterModule and testcomp.__name__ in LATER
assert "testcase" not in vars(testcomp)
assert callable(testcomp.testcase)
assert type(testcomp) is type(sys) and testcomp.__loader__ is testcomp.__spec__.loader
assert testcomp is sys.modules["unfork.report.formats.testcomp"]
try:
    testcomp.no_such_name
except AttributeError as problem:
    print(problem)
"""


def test_a_module_that_waits_becomes_that_module() -> None:
    done = subprocess.run([sys.executable, "-c", ONE_OF_THEM], capture_output=True, text=True, check=False)
    assert done.stdout == "module 'unfork.report.formats.testcomp' has no attribute 'no_such_name'\n", done.stderr
