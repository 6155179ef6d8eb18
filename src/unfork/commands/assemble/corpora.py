"""The files of the folders of --corpus, read once before a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unfork.commands.assemble import outputs, starting
from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.raced_strategies import names_strategy
from unfork.commands.assemble.starting import input_size
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.llvm.module import Program
from unfork.report.record.text import plural
from unfork.world.inputs.command import LARGEST_FILE, CommandLine
from unfork.world.inputs.fuzz_inputs import channel_of, takes_in_memory


@dataclass(frozen=True, slots=True)
class Corpus:
    """Inputs, the smallest first, each once; ``notes`` say which files were left out."""

    inputs: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()


NO_CORPUS = Corpus()
_STRATEGY = "sample"
_ANY = LARGEST_FILE + 1


def read(options: Options) -> tuple[Options, Corpus]:
    """The corpus that the options name, and the options with the size of the largest input.

    Raises InputError for folders that cannot be read, and for those without a file unless a fuzzer is to fill them.
    """
    if not options.corpus:
        return options, NO_CORPUS
    found = [data for name in options.corpus for data in _files(Path(name))]
    if not found and fuzzer(options) is not None:
        return options, NO_CORPUS
    if not found:
        advice = "unfork fuzz begins from nothing, and run does without --corpus"
        raise InputError(f"--corpus: no file in {', '.join(options.corpus)} ({advice})")
    asked = input_size(options, _ANY)
    most = min(asked, LARGEST_FILE)
    fitting = sorted({data for data in found if len(data) <= most}, key=lambda data: (len(data), data))
    left_out = sum(len(data) > most for data in found)
    notes = [f"--corpus: left out {plural(left_out, 'file')} of more than {most} bytes (--input-size)"]
    if asked == _ANY and fitting:
        options = replace(options, input_size=len(fitting[-1]))
    return options, Corpus(tuple(fitting), tuple(notes if left_out else ()))


@dataclass(frozen=True, slots=True)
class WantedFuzzer:
    """The native fuzzer that a run asks for, and the file with words for its mutations."""

    name: str
    dictionary: str | None


OWN_FUZZER = WantedFuzzer("own", None)
"""Our own, which every compiler that counts edges can link."""


def fuzzer(options: Options) -> WantedFuzzer | None:
    """The native fuzzer, if the run has one."""
    return None if options.fuzzer == "none" else WantedFuzzer(options.fuzzer, options.dictionary)


def has_corpus(options: Options) -> bool:
    """Whether the run begins with a corpus, or writes one."""
    return fuzzer(options) is not None or bool(options.corpus) or outputs.corpus_folder(options) is not None


def folders(options: Options) -> list[Path]:
    """The folders of --corpus."""
    return [Path(name) for name in options.corpus]


def fuzzing(options: Options) -> Options:
    """The options of a run that also fuzzes natively: new inputs go to the first folder of the corpus.

    Unless a strategy is named, it samples: one query that takes ten seconds costs more than it can bring, beside native
    runs.
    """
    changed: dict[str, Any] = {} if options.is_given("fuzzer") else {"fuzzer": "auto"}
    if not names_strategy(options):
        changed["strategy"] = (_STRATEGY,)
    if outputs.corpus_folder(options) is None and options.corpus and Path(options.corpus[0]).is_dir():
        changed["corpus_out"] = options.corpus[0]
    return replace(options, **changed, given=options.given | changed.keys())


def with_channel(options: Options, program: Program, arguments: Sequence[str]) -> Options:
    """The options with which a program gets a fuzzer's input: one that takes it in no other way reads standard input.

    Raises InputError if it would get two.
    """
    given = starting.command(options, arguments)
    if takes_in_memory(program):
        if given.has_input_stdin:
            raise InputError("--input-stdin: the program takes a fuzzer's input in memory")
        return options
    has_other = given.has_input_stdin or given.has_input_file or given.stdin is not None
    if has_other or fuzzer(options) is None or choose(options).start.entry != "main" or "main" not in program.own:
        return options
    return replace(options, input_stdin=True, given=options.given | {"input_stdin"})


def check(program: Program, command: CommandLine) -> None:
    """Raise InputError if the program takes no fuzzer's input."""
    if channel_of(program, command) is None:
        raise InputError(
            "--corpus: the program takes no fuzzer's input (a fuzz target, AFL++'s macros, @@, or --input-stdin)"
        )


def _files(folder: Path) -> Sequence[bytes]:
    try:
        if not folder.is_dir():
            raise InputError(f"--corpus {folder}: {'is not a folder' if folder.exists() else 'no such folder'}")
        return [path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()]
    except OSError as error:
        raise InputError(f"--corpus {folder}: cannot be read ({error.strerror})") from None
