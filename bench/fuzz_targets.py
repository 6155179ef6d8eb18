"""Fuzz targets of upstream projects: unfork alone, libFuzzer alone, and both (unfork fuzz), with the same seconds.

    python -m bench.fuzz_targets [--sources DIR] [--cpu SECONDS] [--out FILE] [NAME ...]

The list was fixed before the first run. Sources are fetched with git into DIR, and never become part of this
repository; a folder that is there already is taken as it is. Each way starts from nothing and from the project's own
files; edges are counted by one native build with counters. Needs a clang with libFuzzer.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import processors
from bench.trees import GitTree
from unfork.program.c import dictionaries
from unfork.program.llvm.compiler import INCLUDE
from unfork.report.replay import native_fuzzer
from unfork.report.replay.binary import Enclosure
from unfork.report.replay.native_replay import SETTINGS
from unfork.world.inputs.fuzz_inputs import name_of
from unfork.world.libc.build_store import Report

LARGEST = 4096
"""The most bytes of an input, for all ways."""
PER_SEED = 1000
"""Between the first seeds of two runs of libFuzzer, each of whose processes has the next one."""
LEAST = 0.1
"""Seconds that a process counts for at least."""


@dataclass(frozen=True, slots=True)
class UpstreamTarget:
    """A fuzz target of a project; its files, dictionary and folders of inputs are relative to the project's tree."""

    tree: GitTree
    files: tuple[str, ...]
    flags: tuple[str, ...] = ()
    dictionary: str | None = None
    corpus: str | None = None
    """A pattern of the project's own files."""

    @property
    def name(self) -> str:
        return self.tree.name

    def sources(self, tree: Path) -> list[str]:
        """The files to compile, of an unpacked tree."""
        return [str(tree / file) for file in self.files]

    def compiling(self, tree: Path) -> list[str]:
        """The flags that compile them."""
        return [f"-I{tree / flag[2:]}" if flag.startswith("-I") else flag for flag in self.flags]


TARGETS = (
    UpstreamTarget(
        GitTree("DaveGamble/cJSON", "a29814f285cc531c00223743ad3c55cd38c0dc56"),
        ("fuzzing/cjson_read_fuzzer.c", "cJSON.c"),
        dictionary="fuzzing/json.dict",
        corpus="fuzzing/inputs/*",
    ),
    UpstreamTarget(
        GitTree("ibireme/yyjson", "12797c6a469c78083985e9c2817bfb4ee382c260"),
        ("fuzz/fuzzer.c", "src/yyjson.c"),
        ("-Isrc",),
        "fuzz/fuzzer.dict",
        "test/data/json/**/*",
    ),
    UpstreamTarget(
        GitTree("mity/md4c", "c4be8625eb11725d604232b028df10c2ddf9b577"),
        ("test/fuzzers/fuzz-mdhtml.c", "src/md4c.c", "src/md4c-html.c", "src/entity.c"),
        ("-Isrc",),
        corpus="test/*.txt",
    ),
    UpstreamTarget(
        GitTree("lvandeve/lodepng", "865adac2b8149774401626101ec618e3de45e1d8"),
        ("lodepng_fuzzer.cpp", "lodepng.cpp"),
        ("-I.",),
    ),
    UpstreamTarget(
        GitTree("jkuhlmann/cgltf", "85cd62382dfea638278962690cf515023f33ed00"),
        ("fuzz/main.c",),
        dictionary="fuzz/gltf.dict",
        corpus="fuzz/data/*",
    ),
    UpstreamTarget(
        GitTree("nodejs/http-parser", "ec8b5ee63f0e51191ea43bb0c6eac7bfbff3141d"),
        ("fuzzers/fuzz_parser.c", "http_parser.c"),
        ("-I.",),
    ),
    UpstreamTarget(
        GitTree("JuliaStrings/utf8proc", "26dbf597ffa8167ef5edcc7f2da905500a5aa3c2"),
        ("test/fuzzer.c", "utf8proc.c"),
        ("-I.", "-DUTF8PROC_STATIC"),
    ),
    UpstreamTarget(GitTree("phoboslab/qoi", "e084ec009b38c755acc40fe31d3f83ee17935b9d"), ("qoifuzz.c",), ("-I.",)),
    UpstreamTarget(
        GitTree("zeux/pugixml", "3a8e1dc59ec00645179f0dcb701ee400e062ae54"),
        ("tests/fuzz_parse.cpp", "src/pugixml.cpp"),
        dictionary="tests/fuzz_parse.dict",
        corpus="tests/data_fuzz_parse/*",
    ),
    UpstreamTarget(
        GitTree("nothings/stb", "31c1ad37456438565541f4919958214b6e762fb4"),
        ("tests/stbi_read_fuzzer.c",),
        dictionary="tests/stb_png.dict",
        corpus="tests/pngsuite/**/*",
    ),
)
WAYS = ("unfork", "libfuzzer", "both")


def say_nothing(name: str) -> contextlib.nullcontext[Report]:
    """The progress of a build that nobody watches."""
    return contextlib.nullcontext(lambda done, whole: None)


def own_files(target: UpstreamTarget, tree: Path) -> list[bytes]:
    """The project's own files that are not too large, each once."""
    if target.corpus is None:
        return []
    paths = [path for path in sorted(tree.glob(target.corpus)) if path.is_file()]
    return sorted({path.read_bytes() for path in paths if path.stat().st_size <= LARGEST})


class TargetBench:
    """One target in its tree, built natively in ``folder``."""

    def __init__(self, target: UpstreamTarget, tree: Path, folder: Path) -> None:
        self.target = target
        self._tree = tree
        self._folder = folder
        self.files = target.sources(tree)
        self.flags = target.compiling(tree)

    def native(self, name: str) -> native_fuzzer.NativeFuzzer:
        """A native build of its own, with an empty corpus."""
        folder = self._folder / name
        folder.mkdir()
        made = next(native_fuzzer.toolchains(self.files, folder, say_nothing, "libfuzzer"))
        enclosure = Enclosure.REQUIRED
        native = native_fuzzer.NativeFuzzer(made, self.files, self.flags, folder, enclosure, INCLUDE, LARGEST)
        if self.target.dictionary is not None:
            native.use_dictionary(*dictionaries.read(self._tree / self.target.dictionary))
        return native

    def run(self, way: str, seeds: Sequence[bytes], cpu: float, seed: int = 1) -> tuple[set[int], float, str]:
        """The edges that a way takes from ``seeds``, the processor seconds that it used, and its last words."""
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        corpus = folder / "corpus"
        corpus.mkdir()
        for data in seeds:
            (corpus / name_of(data)).write_bytes(data)
        given = corpus if seeds else None
        if way == "libfuzzer":
            used, said = self._libfuzzer(folder, corpus, cpu, seed)
        else:  # builds do not count for any way; they are kept
            build(self._unfork(way, given, folder / "warm", folder / "other"), folder / "warm", cpu)
            words = [*self._unfork(way, given, folder / "run", corpus), "--seed", str(seed)]
            done = processors.run(words, folder, environment(), 20 * cpu + 60, cpu)
            used, said = done.cpu, _last(done)
        counting = self.native(f"{folder.name}-edges")
        for path in sorted(corpus.iterdir()):
            counting.give(path.read_bytes())
        return counting.taken(), used, said

    def _unfork(self, way: str, given: Path | None, out: Path, corpus: Path) -> list[str]:
        words = [sys.executable, "-m", "unfork", "fuzz" if way == "both" else "run", *self.files, *self.flags]
        words += ["--cores", "1", "--out", str(out), "--corpus-out", str(corpus), "--no-progress"]
        words += ["--corpus", str(given)] if given is not None else []
        if way == "both":
            words += ["--dictionary", str(self._tree / self.target.dictionary)] if self.target.dictionary else []
        return words

    def _libfuzzer(self, folder: Path, corpus: Path, cpu: float, seed: int) -> tuple[float, str]:
        """The processor seconds that libFuzzer used, and its last words; it begins again after a crash.

        The sanitizer has the settings of unfork fuzz, under which too large an allocation returns null.
        """
        native = self.native(f"{folder.name}-libfuzzer")
        assert native.mutator is not None
        words = [
            str(native.mutator),
            "-detect_leaks=0",
            "-close_fd_mask=3",
            f"-max_len={LARGEST}",
            f"-artifact_prefix={folder}/",
        ]
        if self.target.dictionary is not None:
            words.append(f"-dict={self._tree / self.target.dictionary}")
        used, seed = 0.0, PER_SEED * seed
        while True:
            seed += 1
            given = [*words, f"-seed={seed}", str(corpus)]
            done = processors.run(given, folder, {**os.environ, **SETTINGS}, 20 * cpu + 60, cpu - used)
            used += max(done.cpu, LEAST)
            if used >= cpu:
                return used, _last(done)


def environment() -> dict[str, str]:
    """Where commands of unfork run: Python keeps its modules compiled, as those of an installed package are."""
    named = {"PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "unfork-fuzz-modules"), **os.environ}
    return {name: value for name, value in named.items() if name != "PYTHONDONTWRITEBYTECODE"}


def build(words: Sequence[str], out: Path, cpu: float) -> None:
    """Run a command of unfork that writes to ``out`` for a short while, so that its builds are kept."""
    seconds = 1
    while not out.exists() and seconds < cpu:  # a busy machine may need longer to load the program
        processors.run([*words, "--max-time", f"{seconds}s"], out.parent, environment(), 20 * cpu + 60)
        seconds *= 4


def _last(done: processors.Done) -> str:
    """The last line that a command said."""
    said = (done.stdout + done.stderr).strip().splitlines()
    return said[-1] if said else ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a bench runs: ways and starts, each so many times with other seeds, for processor seconds."""

    cpu: float
    ways: Sequence[str]
    starts: Sequence[str]
    times: int


def rows(names: Sequence[str], sources: Path, asked: Asked) -> Iterator[dict[str, object]]:
    """A row for each target and start: the edges of each way, the median of its runs."""
    for target in TARGETS:
        if names and target.name not in names:
            continue
        with tempfile.TemporaryDirectory(prefix="unfork-fuzz-bench-") as name:
            Path(name).chmod(0o711)
            tree = target.tree.unpack(sources)
            bench = TargetBench(target, tree, Path(name))
            own = own_files(target, tree)
            given: dict[str, list[bytes]] = {"nothing": [], **({"files": own} if own else {})}
            for start in [start for start in asked.starts if start in given]:
                yield _row(bench, start, given[start], asked)


def _row(bench: TargetBench, start: str, seeds: Sequence[bytes], asked: Asked) -> dict[str, object]:
    """Run the ways in turn. Edges that only one way takes are those that no run of the other takes."""
    row: dict[str, object] = {"target": bench.target.name, "start": start, "seeds": len(seeds)}
    done: dict[str, list[tuple[set[int], float, str]]] = {way: [] for way in asked.ways}
    for number in range(1, asked.times + 1):
        for way, runs in done.items():
            runs.append(bench.run(way, seeds, asked.cpu, number))
    counts = {way: [len(edges) for edges, _, _ in runs] for way, runs in done.items()}
    row |= {way: statistics.median(each) for way, each in counts.items()}
    row |= {f"{way} runs": each for way, each in counts.items()}
    row |= {f"{way} cpu": [round(used, 1) for _, used, _ in runs] for way, runs in done.items()}
    row["said"] = {way: runs[-1][2] for way, runs in done.items()}
    taken = {way: set[int]().union(*[edges for edges, _, _ in runs]) for way, runs in done.items()}
    if {"both", "libfuzzer"} <= taken.keys():
        medians = [statistics.median(counts[way]) for way in ("both", "libfuzzer")]
        row["ratio"] = round(medians[0] / max(medians[1], 1), 3)
        row["only both"] = len(taken["both"] - taken["libfuzzer"])
    if {"unfork", "libfuzzer"} <= taken.keys():
        row["only unfork"] = len(taken["unfork"] - taken["libfuzzer"])
    return row


def arguments(about: str | None, cpu: float) -> argparse.ArgumentParser:
    """What a bench of fuzz targets takes, with ``cpu`` processor seconds for each way unless told."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    default = Path(tempfile.gettempdir()) / "unfork-fuzz-targets"
    parser.add_argument("--sources", type=Path, default=default, help=f"where sources go (default {default})")
    parser.add_argument("--cpu", type=float, default=cpu)
    parser.add_argument("--out", type=Path)
    return parser


def sources_in(given: argparse.Namespace) -> Path:
    """The folder of sources that a command line names, made if need be."""
    sources: Path = given.sources.resolve()
    sources.mkdir(parents=True, exist_ok=True)
    return sources


def told(rows: Iterable[dict[str, object]], out: Path | None) -> list[dict[str, object]]:
    """All rows, each as a line of JSON once it is there, and together in the file ``out``."""
    found = []
    for row in rows:
        print(json.dumps(row), flush=True)
        found.append(row)
    if out is not None:
        out.write_text(json.dumps(found, indent=1))
    return found


def main() -> int:
    """Run the bench; a line of JSON for each row."""
    parser = arguments(__doc__, 600.0)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--starts", default="nothing,files")
    parser.add_argument(
        "--times", type=int, default=1, help="runs of each way, with other seeds; edges are their median"
    )
    given = parser.parse_args()
    asked = Asked(given.cpu, given.ways.split(","), given.starts.split(","), given.times)
    found = told(rows(given.names, sources_in(given), asked), given.out)
    ratios = [float(str(row["ratio"])) for row in found if "ratio" in row]
    if ratios:
        print(f"both / libFuzzer: median {statistics.median(ratios):.3f}, least {min(ratios):.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
