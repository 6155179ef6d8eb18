"""Which loops of three small C libraries are taken in one step, and why others are not.

``python -m bench.loops FOLDER`` fetches the libraries (Debian's sources) into FOLDER and prints a table. A loop is one
over strings if it reads single bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.known_bugs import YAJL, Debian, yajl_headers
from unfork.commands.assemble import starting
from unfork.commands.run.show_loops import own_loops
from unfork.options.options import Options
from unfork.program.facts.summarisable_loops import OtherLoop
from unfork.program.llvm import compiler
from unfork.program.llvm.ir import Load
from unfork.program.llvm.module import Program
from unfork.program.llvm.types import IntType

LIBRARIES = (
    (Debian("cjson", "1.7.15"), ("cJSON.c", "cJSON_Utils.c")),
    (Debian("libcsv", "3.0.3"), ("libcsv.c",)),
    (Debian("yajl", "2.1.0"), YAJL),
)
BYTE = IntType(8)


def loops(program: Program) -> Iterator[tuple[bool, str]]:
    """The loops of a program: (whether it reads bytes, why it is run turn by turn or "")."""
    for facts, loop in own_loops(program):
        bodies = [facts.function.blocks[block].body for block in facts.flow.loops[loop.head]]
        reads = any(isinstance(each, Load) and each.type == BYTE for body in bodies for each in body)
        yield reads, loop.reason if isinstance(loop, OtherLoop) else ""


def main() -> None:
    """Fetches, compiles, and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    options = Options(libc="none", cflags="-w")
    print("| library | loops | over strings | in one step | turn by turn, since |\n| --- | ---: | ---: | ---: | --- |")
    everywhere = Counter[bool]()
    for source, files in LIBRARIES:
        place = source.unpack(folder)
        if source.name == "yajl":
            yajl_headers(place)
        paths = [next(place.rglob(Path(name).name)) for name in files]
        included = replace(options, include=(str(place / "include"),))
        program = compiler.build(paths, starting.compile_options(included), paths, starting.libraries(options, print))
        known = [*loops(program)]
        strings = [reason for reads, reason in known if reads]
        reasons = Counter(reason for reason in strings if reason)
        said = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
        everywhere.update(not reason for reason in strings)
        print(f"| {source.name} | {len(known)} | {len(strings)} | {strings.count('')} | {said} |")
    print(f"\n{everywhere[True]} of {everywhere.total()} loops over strings are taken in one step")


if __name__ == "__main__":
    main()
