"""Crashes that fuzzers found in upstream projects, looked for again: by ``unfork fuzz``, and by libFuzzer alone.

    python -m bench.fuzz_crashes [--sources DIR] [--cpu SECONDS] [--out FILE] [NAME ...]

The list was fixed before the first run: the version before the fix, with the project's own target and dictionary, from
the project's own files of that version. A crash counts if its input fails under AddressSanitizer before the fix, and
not after it; so another fault of the old version does not count. Builds do not count for either way. Needs a clang
with libFuzzer.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench import processors
from bench.fuzz_targets import (
    LARGEST,
    TARGETS,
    UpstreamTarget,
    arguments,
    build,
    environment,
    own_files,
    say_nothing,
    sources_in,
    told,
)
from bench.trees import GitTree
from unfork.report.record.corpus_folder import CRASHES as BESIDE
from unfork.report.replay import native_fuzzer
from unfork.world.inputs.fuzz_inputs import name_of

SLOW = 20
"""Seconds of the clock for a run on one input."""


@dataclass(frozen=True, slots=True)
class HistoricCrash:
    """A crash of the target ``library`` (of fuzz_targets), fixed between two commits of its tree."""

    name: str
    library: str
    what: str
    buggy: str
    fixed: str

    def at(self, commit: str) -> UpstreamTarget:
        """The target at one of the commits."""
        target = next(target for target in TARGETS if target.name == self.library)
        return replace(target, tree=GitTree(target.tree.repository, commit))


CRASHES = (
    HistoricCrash(
        "cgltf_basisu",
        "cgltf",
        "an error in a member of an extension of a texture is taken for the number of the next token",
        "4615edc217bad1f67f25fe8c62ad7bf18712fd9e",
        "b2a38fc1b2f22075bd5a095647c0d08a5343c3f4",
    ),
    HistoricCrash(
        "cgltf_draco",
        "cgltf",
        "an error in a member of a compressed mesh is taken for the number of the next token",
        "6bc2c3564661acd3ebbd00843a8c09d5944a1da0",
        "1e40b58c5cc3f5f18e6ad4fb1a8916e4cefb5453",
    ),
    HistoricCrash(
        "md4c_link",
        "md4c",
        "the end of a link lies behind the end of its line",
        "7f0533068b4319d8cb3d0f33ca9aa66a857734a6",
        "933388a6573ed04ee267ccfbc0625f6f6306313d",
    ),
    HistoricCrash(
        "md4c_table",
        "md4c",
        "marks of a table row are taken over from the paragraph before it",
        "933388a6573ed04ee267ccfbc0625f6f6306313d",
        "260cd3394d45bd51f2002936a63401419658ecd7",
    ),
    HistoricCrash(
        "md4c_language",
        "md4c",
        "a language's name shorter than nine bytes is compared with a word of nine",
        "2ed8e525747dd65456436d9bdbca5a980e7a45bc",
        "f24870b973b803ac9408877ded880724521ca310",
    ),
)


class CrashBench:
    """One crash, with programs of both versions in ``folder``."""

    def __init__(self, crash: HistoricCrash, sources: Path, folder: Path) -> None:
        self._folder = folder
        self._tree = crash.at(crash.buggy).tree.unpack(sources)
        self._target = crash.at(crash.buggy)
        self._buggy = self._built(self._target, self._tree, "buggy")
        fixed = crash.at(crash.fixed)
        self._fixed = self._built(fixed, fixed.tree.unpack(sources), "fixed")

    def _built(self, target: UpstreamTarget, tree: Path, name: str) -> Path:
        program = self._folder / name
        given = self._words(target, tree)
        made = next(native_fuzzer.toolchains(given, self._folder, say_nothing, "libfuzzer"))
        words = [*made.toolchain.words, "-g", "-O1", "-w", "-fsanitize=fuzzer,address", *given]
        subprocess.run([*words, "-o", str(program)], check=True)
        return program

    def _given(self, corpus: Path) -> Path:
        """A new folder with the project's own files."""
        corpus.mkdir(parents=True)
        for data in own_files(self._target, self._tree):
            (corpus / name_of(data)).write_bytes(data)
        return corpus

    def _words(self, target: UpstreamTarget, tree: Path) -> list[str]:
        return [*target.compiling(tree), *target.sources(tree)]

    def _fails(self, program: Path, file: Path) -> bool:
        words = [str(program), "-detect_leaks=0", str(file)]
        done = processors.run(words, self._folder, dict(os.environ), SLOW)
        return done.status is not None and done.status != 0

    def shows(self, crashes: Path) -> bool:
        """Whether an input of the folder fails before the fix, and not after it."""
        files = [path for path in sorted(crashes.glob("*")) if path.suffix != ".txt"]
        return any(self._fails(self._buggy, path) and not self._fails(self._fixed, path) for path in files)

    def libfuzzer(self, cpu: float) -> tuple[bool, float]:
        """Whether libFuzzer alone shows it, and the processor seconds that it used; it goes on after other crashes."""
        folder = self._folder / "libfuzzer"
        corpus = self._given(folder / "corpus")
        (folder / "crashes").mkdir()
        words = [str(self._buggy), "-detect_leaks=0", "-close_fd_mask=3", f"-max_len={LARGEST}"]
        words += [f"-dict={self._tree / self._target.dictionary}"] if self._target.dictionary else []
        words += [f"-artifact_prefix={folder / 'crashes'}/", str(corpus)]
        used, seed = 0.0, 0
        while used < cpu:
            seed += 1
            done = processors.run([*words, f"-seed={seed}"], folder, dict(os.environ), 20 * cpu + 60, cpu - used)
            used += max(done.cpu, 0.1)
            if self.shows(folder / "crashes"):
                return True, used
        return False, used

    def both(self, cpu: float) -> tuple[bool, float]:
        """Whether ``unfork fuzz`` shows it, and the processor seconds of the run, which goes on to its end."""
        corpus = self._given(self._folder / "unfork" / "corpus")
        words = [sys.executable, "-m", "unfork", "fuzz", *self._words(self._target, self._tree)]
        words += ["--cores", "1", "--no-progress"]
        words += ["--dictionary", str(self._tree / self._target.dictionary)] if self._target.dictionary else []
        build([*words, "--out", str(self._folder / "warm")], self._folder / "warm", cpu)
        words += ["--out", str(self._folder / "run"), "--corpus", str(corpus), "--corpus-out", str(corpus)]
        done = processors.run(words, self._folder, environment(), 20 * cpu + 60, cpu)
        return self.shows(corpus.with_name(f"{corpus.name}-{BESIDE}")), done.cpu


def rows(names: Sequence[str], sources: Path, cpu: float) -> Iterator[dict[str, object]]:
    """A row for each crash."""
    for crash in CRASHES:
        if names and crash.name not in names:
            continue
        with tempfile.TemporaryDirectory(prefix="unfork-fuzz-crashes-") as name:
            Path(name).chmod(0o711)
            bench = CrashBench(crash, sources, Path(name))
            both, used = bench.both(cpu)
            alone, spent = bench.libfuzzer(cpu)
            row = {"crash": crash.name, "unfork fuzz": both, "cpu": round(used, 1)}
            yield {**row, "libfuzzer": alone, "libfuzzer cpu": round(spent, 1)}


def main() -> int:
    """Run the bench; a line of JSON for each row."""
    given = arguments(__doc__, 300.0).parse_args()
    told(rows(given.names, sources_in(given), given.cpu), given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
