"""Do random C programs of csmith print the same checksum on the engine and natively? Prints the seeds that differ."""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unfork.commands.run.run import Result, run
from unfork.engine.protocols.events import Ended, Event
from unfork.engine.protocols.outcome import Halted
from unfork.options.options import Options

NATIVE_SECONDS = 0.5
ENGINE_SECONDS = 60
_LIMITS = {
    "max-funcs": 5,
    "max-block-depth": 3,
    "max-block-size": 3,
    "max-expr-complexity": 5,
    "max-array-dim": 2,
    "max-array-len-per-dim": 4,
    "max-struct-fields": 5,
    "max-union-fields": 4,
}
_VARIANTS: tuple[tuple[str, ...], ...] = (
    (),
    ("--float",),
    ("--packed-struct",),
    ("--inline-function",),
    ("--float", "--no-volatiles"),
)
_UNDEFINED = ("-g", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all")
_OPTIMISED = ("", "-O1", "", "-O2")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one seed: "same", "skipped" (useless as a test), "different", "crashed", "unsupported", "slow"."""

    seed: int
    word: str
    detail: str
    instructions: int
    seconds: float


class Listener:
    """Keeps what each path printed by the time it halted."""

    def __init__(self) -> None:
        self.printed: list[bytes] = []

    def tell(self, event: Event) -> None:
        """Observer."""
        if isinstance(event, Ended) and isinstance(event.outcome, Halted):
            self.printed.append(event.state.printed(1))


def missing_tool() -> str | None:
    """What this machine lacks for the comparison."""
    for tool in ("csmith", "gcc"):
        if shutil.which(tool) is None:
            return tool
    return None if include_directory() is not None else "csmith.h"


def include_directory() -> Path | None:
    """Where csmith's headers are: beside the program, in the include folder of its prefix."""
    program = shutil.which("csmith")
    if program is None:
        return None
    prefix = Path(program).resolve().parent.parent
    for header in sorted((prefix / "include").glob("csmith*/csmith.h")):
        return header.parent
    return None


def generate(seed: int, folder: Path) -> Path:
    """The random program of ``seed``; seeds take turns with the features they use."""
    source = folder / f"random{seed}.c"
    words = [word for name, value in _LIMITS.items() for word in (f"--{name}", str(value))]
    variant = _VARIANTS[seed % len(_VARIANTS)]
    subprocess.run(
        ["csmith", "--seed", str(seed), "--no-argc", *words, *variant, "--output", str(source)],
        check=True,
        capture_output=True,
        timeout=30,
    )
    return source


def native_output(source: Path, include: Path, flags: tuple[str, ...] = ()) -> bytes | None:
    """What gcc's program prints; None when it ends too late, fails or does not compile."""
    binary = source.with_suffix(".native")
    compiler = ["gcc", "-w", "-O0", "-fwrapv", *flags, f"-I{include}", str(source), "-o", str(binary), "-lm"]
    if subprocess.run(compiler, capture_output=True, check=False).returncode:
        return None
    try:
        done = subprocess.run([binary], capture_output=True, timeout=NATIVE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def explore(source: Path, include: Path, flags: str) -> tuple[Result, Listener]:
    """A run of the engine, and what its paths printed."""
    listener = Listener()
    options = Options(
        out=str(source.with_suffix(".run")),
        include=(str(include),),
        cflags=f"-w {flags}",
        max_time=ENGINE_SECONDS,
        check=("memory", "div", "unreachable"),
        no_progress=True,
        quiet=True,
        tests="errors",
    )
    return run([source], options, (), (listener,)), listener


def compare(seed: int) -> Outcome:
    """Generate, run both ways, compare."""
    include = include_directory()
    began = time.monotonic()
    if include is None:
        raise FileNotFoundError("csmith.h")
    with tempfile.TemporaryDirectory() as name:
        source = generate(seed, Path(name))
        expected = native_output(source, include)
        if expected is None:
            return Outcome(seed, "skipped", "no native result in time", 0, time.monotonic() - began)
        try:
            result, listener = explore(source, include, _OPTIMISED[seed % len(_OPTIMISED)])
        except Exception as problem:
            place = traceback.extract_tb(problem.__traceback__)[-1]
            detail = f"{type(problem).__name__}: {str(problem)[:200]} ({Path(place.filename).name}:{place.lineno})"
            return Outcome(seed, "crashed", detail, 0, time.monotonic() - began)
        word, detail = _judge(result, listener, expected)
        # csmith's programs convert floats to integers out of range: what comes out of that is no test.
        if word == "different" and native_output(source, include, _UNDEFINED) is None:
            word, detail = "skipped", "undefined behaviour"
    return Outcome(seed, word, detail, result.summary["instructions"], time.monotonic() - began)


def _judge(result: Result, listener: Listener, expected: bytes) -> tuple[str, str]:
    if result.errors or result.alarms:
        found = (*result.errors, *result.alarms)[0]
        return "different", f"{found.kind} at line {found.line}: {found.message}"
    if result.summary["stopped_by"] is not None:
        return "slow", f"stopped by {result.summary['stopped_by']}"
    if result.summary["given_up"]:
        return "unsupported", str(result.summary["given_up"][0]["detail"])
    if set(listener.printed) != {expected}:  # bytes that nothing has written may fork, but must not matter
        return "different", f"expected {expected!r}, got {listener.printed!r}"
    return "same", expected.decode().strip()


def outcomes(seeds: range, workers: int) -> Iterator[Outcome]:
    """The outcomes of many seeds, in order."""
    with multiprocessing.Pool(workers, maxtasksperchild=50) as pool:
        yield from pool.imap(compare, seeds)


def main() -> int:
    """Compare N programs; status 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", nargs="?", type=int, default=1000, help="how many programs (default 1000)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    chosen = parser.parse_args()
    lack = missing_tool()
    if lack is not None:
        print(f"csmith: {lack} is missing (on Debian: apt-get install csmith libcsmith-dev gcc)", file=sys.stderr)
        return 2
    counts: Counter[str] = Counter()
    for outcome in outcomes(range(chosen.first, chosen.first + chosen.number), chosen.workers):
        counts[outcome.word] += 1
        if outcome.word not in ("same", "skipped"):
            print(f"seed {outcome.seed}: {outcome.word}: {outcome.detail}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 1 if counts["different"] or counts["crashed"] or counts["unsupported"] else 0


if __name__ == "__main__":
    sys.exit(main())
