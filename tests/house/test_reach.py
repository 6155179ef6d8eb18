"""How far modules reach: which import each other, and where the values of options are taken from the options."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.house.calls import circles
from tests.house.sources import parsed
from unfork.options.options import DESCRIPTIONS

SOURCE = Path(__file__).parents[2] / "src" / "unfork"
MODULES = {
    "unfork." + ".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in sorted(SOURCE.rglob("*.py"))
}
STILL_READ = {"formats", "function", "json", "out", "quiet"}
"""Options that several modules outside of the assembly take from the options: this only gets less."""


ASSEMBLY = (
    *("commands/assemble/", "commands/scan/scanning.py", "commands/verify/proving.py", "commands/run/cores.py"),
    *("commands/witness/waypoints.py", "commands/witness/witnesses.py", "commands/witness/complete.py"),
    *("commands/witness/loop_invariants.py", "options/", "program/llvm/"),
)
"""Where options become parts. (Compiling has choices of its own.)"""


def imports_of(path: Path) -> set[str]:
    """The modules of ours that a module names, to load now or later, or for types."""
    named = set()
    for node in ast.walk(parsed(path)):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("unfork"):
                named |= {full if (full := f"{module}.{name.name}") in MODULES else module for name in names}
            case ast.Import(names=names):
                named |= {name.name for name in names if name.name.startswith("unfork.")}
    return named


def readers(*, in_assembly: bool) -> dict[str, set[str]]:
    """Which modules take the value of an option from the options: those of commands/assemble, or those outside of any
    assembly.
    """
    found = defaultdict(set)
    for path in MODULES.values():
        name = str(path.relative_to(SOURCE))
        if not name.startswith("commands/assemble/") if in_assembly else name.startswith(ASSEMBLY):
            continue
        for node in ast.walk(parsed(path)):
            match node:
                case ast.Attribute(value, attribute) if attribute in DESCRIPTIONS and _are_options(value):
                    found[attribute].add(name)
                case ast.Call(ast.Attribute(value, "is_given"), [ast.Constant(str(option))]) if _are_options(value):
                    found[option].add(name)
    return found


def _are_options(value: ast.expr) -> bool:
    return ast.unparse(value).split(".")[-1] in ("options", "_options", "chosen", "changed")


def test_the_driver_says_what_a_run_is_made_of_and_little_else() -> None:
    assert len(MODULES["unfork.commands.run.run"].read_text().splitlines()) <= 200


def test_no_modules_import_each_other() -> None:
    graph = {name: imports_of(path) & MODULES.keys() - {name} for name, path in MODULES.items()}
    found = {" ".join(sorted(name.removeprefix("unfork.") for name in circle)) for circle in circles(graph)}
    assert found == set()


def test_the_value_of_an_option_is_taken_in_one_place_outside_of_the_assembly() -> None:
    several = {option: places for option, places in readers(in_assembly=False).items() if len(places) > 1}
    assert {option: places for option, places in several.items() if option not in STILL_READ} == {}


def test_the_value_of_an_option_is_taken_in_one_place_of_the_assembly() -> None:
    assert {option: places for option, places in readers(in_assembly=True).items() if len(places) > 1} == {}
