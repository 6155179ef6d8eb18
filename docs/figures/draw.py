"""Draws the figures of the documentation: runs of the small programs beside this file, as unfork shows them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import unfork
from unfork.report.record.show import drawing, graph

HERE = Path(__file__).parent
FIGURES: dict[str, tuple[str, dict[str, object]]] = {
    "paths": ("flags", {"merge": "none"}),
    "joined": ("flags", {"merge": "static", "similar": "always"}),
    "cold": ("cold", {"merge": "static", "similar": "qce"}),
    "hot": ("hot", {"merge": "static", "similar": "qce"}),
    "matched": ("light", {"prune": "subsume"}),
    "learnt": ("steps", {"prune": "interpolate"}),
    "orders": ("orders", {"strategy": ("plain",)}),
}
"""The program of each figure, and the options that it runs with."""
HEAP = "heap"
"""The program of the figure of a heap: the input of its first error."""


def run_of(program: str, choices: dict[str, object], folder: Path) -> unfork.Result:
    """A run of a program that lies here."""
    shown = {"out": str(folder), "quiet": True, "no_progress": True, "native_check": "never", "cores": 1}
    options = unfork.Options(**shown, **choices, given=frozenset(choices))
    return unfork.run(HERE / f"{program}.c", options)


def dot_of(figure: str, folder: Path) -> str:
    """A figure as text for Graphviz."""
    program, choices = FIGURES[figure]
    return graph(run_of(program, choices, folder).directory)


def heap_of(folder: Path) -> str:
    """The figure of a heap, as SVG."""
    result = run_of(HEAP, {"function": "falling", "strategy": "plain", "max_objects": 3}, folder)
    return drawing(result.directory, result.errors[0].test.removesuffix(".json"))


def main() -> int:
    """Write all figures, as text and, where Graphviz is installed, as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        (HERE / f"{HEAP}.svg").write_text(heap_of(Path(folder) / HEAP))
        for figure in FIGURES:
            text = dot_of(figure, Path(folder) / figure)
            (HERE / f"{figure}.dot").write_text(text)
            if shutil.which("dot") is not None:
                subprocess.run(["dot", "-Tsvg", "-o", str(HERE / f"{figure}.svg")], input=text, text=True, check=True)
    if shutil.which("dot") is None:
        sys.stderr.write("figures: Graphviz is not installed, so that the pictures stay as they were\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
