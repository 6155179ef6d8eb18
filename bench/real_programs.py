"""How much of real programs beyond coreutils do tests cover? Edges by the engine and natively, of sed, gzip, bc, ...

``python -m bench.real_programs --work DIR [--programs NAMES] [--cpu S] [--source SRC] [--options "..."]``

The sources are Debian's, built with ``unfork cc`` below the work folder, one after the other. Each program gets as many
seconds of processors; branch edges of its own folder count. ``--source`` is the ``src`` folder of another version.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import coreutils
from bench.klee import WORLD
from bench.known_bugs import Debian


@dataclass(frozen=True, slots=True)
class Program:
    """A program of a source package; ``folder`` is where it is built."""

    package: Debian
    folder: str = "."
    options: tuple[str, ...] = ("--host=x86_64-linux-musl",)

    def built(self, work: Path, name: str) -> Path:
        """The folder with the program and its bitcode."""
        tree = self.package.unpack(work)
        if not (tree / self.folder / f"{name}.bc").exists():
            coreutils.make(tree, work, self.options)
        return tree / self.folder


PROGRAMS = {
    "sed": Program(Debian("sed", "4.9"), "sed", ("--host=x86_64-linux-musl", "--disable-nls", "--disable-acl")),
    "gzip": Program(Debian("gzip", "1.12")),
    "bc": Program(Debian("bc", "1.07.1"), "bc"),
    "ed": Program(Debian("ed", "1.19"), options=()),
    "patch": Program(Debian("patch", "2.7.6"), "src"),
    "cmp": Program(Debian("diffutils", "3.8"), "src", ("--host=x86_64-linux-musl", "--disable-nls")),
}
"""Chosen before any of them was run."""


def main() -> int:
    """The command."""
    coreutils.check_enclosure()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(tempfile.gettempdir()) / "unfork-real-programs"
    parser.add_argument("--work", type=Path, default=default, help="folder for sources and runs")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="names, separated by commas")
    parser.add_argument("--cpu", type=float, default=30, help="seconds of processors for each")
    parser.add_argument("--options", default="", help="further words for unfork run")
    parser.add_argument("--source", type=Path, help="the folder src of the version to run, if not this one")
    given = parser.parse_args()
    runs: Path = given.work / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    folders = {name: PROGRAMS[name].built(given.work, name) for name in given.programs.split(",")}
    if given.source is not None:
        coreutils.SOURCE = given.source.resolve()
    limit = coreutils.Limit(given.cpu, of_processors=True)
    print("| program | edges of its folder | engine | natively | tests | errors | CPU s |")
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: |")
    for name, folder in folders.items():
        tool = coreutils.explore(folder, runs, limit, given.options.split(), True, name, WORLD)
        cells = [
            name,
            tool.near[1],
            tool.near[0],
            tool.native_near,
            tool.tests,
            "; ".join(tool.errors) or "-",
            tool.cpu,
        ]
        print("| " + " | ".join(map(str, cells)) + " |", tool.trouble, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
