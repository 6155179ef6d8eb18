"""Do tests of C++ programs end natively as on the engine? Prints each test that does not, and counts for each build.

``python -m bench.cpp_tests [--only PART]`` runs the programs of tests/programs/cpp and replays their tests on the
engine, natively by the system's compiler with sanitizers, by the bundled clang, and as source (``--formats c``), which
the command in its first line compiles.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.as_source import row_of
from tests.support.corpus import Expected, programs
from tests.support.runs import explore
from unfork.commands.afterwards.native_check import BuildOrigin
from unfork.commands.afterwards.replay import Session
from unfork.commands.assemble.building import silent_progress
from unfork.errors import InputError
from unfork.report.record.kept_run import read_run
from unfork.report.replay import native_replay
from unfork.report.replay.account import AS_EXPECTED, ENGINE_ONLY, NativeEnding, ReplayRow, end_text, run_natively
from unfork.report.replay.binary import Enclosure

_UNWATCHED = f"{ENGINE_ONLY} (no sanitizer here)"
WAYS = ("engine", "system", "bundled", "source")


@dataclass(frozen=True, slots=True)
class Replayed:
    """A test, and its row for each way to replay it."""

    name: str
    rows: dict[str, ReplayRow]

    def is_same(self) -> bool:
        """Whether it ends everywhere as expected where a sanitizer looks, or none needs to."""
        return all(row.judgement in (AS_EXPECTED, _UNWATCHED) for row in self.rows.values())


def replays(program: Expected, folder: Path) -> Iterator[Replayed]:
    """The tests of a run of ``program``, replayed in every way."""
    out = folder / "run"
    result = explore(program, out, "--formats", "c", "--native-check", "never", "--max-tests", "2")
    run = read_run(out)
    named = [(name, test) for name, test in run.tests() if test.expect is not None]
    session = Session(out, run.summary)
    by_engine = session.engine(named).rows
    origin = BuildOrigin(result.program, session.options, tuple(map(str, program.sources)), None, None, Enclosure.NONE)
    builds = {
        "system": native_replay.toolchains(origin.files, folder, silent_progress),
        "bundled": native_replay.bundled(origin.files, silent_progress),
    }
    runners = {way: runner for way, each in builds.items() if (runner := _build(origin, next(each), folder / way))}
    for (name, test), row in zip(named, by_engine, strict=True):
        rows = {"engine": row}
        for way, (run_test, has_sanitizers) in runners.items():
            rows[way] = run_natively(name, test, run_test, has_sanitizers)
        if "system" in runners:
            rows["source"] = row_of(name, test, (out / name).with_suffix(program.path.suffix), folder)
        yield Replayed(f"{program.name} {name}", rows)


def _build(
    origin: BuildOrigin, toolchain: native_replay.Toolchain, folder: Path
) -> tuple[Callable[..., NativeEnding | None], bool] | None:
    """What runs tests, and whether sanitizers watch; None if the compiler does not know the program's headers."""
    folder.mkdir()
    try:
        return origin.runner(toolchain, folder).run, toolchain.has_sanitizers
    except InputError as problem:
        print(f"{folder.name}: {problem}")
        return None


def main() -> None:
    """Print the tests that end differently, how many there are of each kind, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="programs with this in their name")
    given = parser.parse_args()
    chosen = [
        program for program in programs() if program.path.parent.name == "cpp" and given.only in program.path.name
    ]
    judgements: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    for program in chosen:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                for replayed in replays(program, Path(scratch)):
                    for way, row in replayed.rows.items():
                        judgements[way][row.judgement] += 1
                    if not replayed.is_same():
                        expected = end_text(replayed.rows["engine"].expected)
                        print(f"{replayed.name}: {expected}")
                        for way, row in replayed.rows.items():
                            print(f"  {way}\t{end_text(row.ended)}\t{row.judgement}", flush=True)
            except InputError as problem:
                print(f"{program.name}: {problem}", flush=True)
    for way, counts in judgements.items():
        print(way, ", ".join(f"{count} {judgement}" for judgement, count in counts.most_common()), sep="\t")


if __name__ == "__main__":
    main()
