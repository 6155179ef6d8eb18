"""Begins what works on a corpus beside an exploration: native fuzzing, the seeds, and what writes new inputs."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.commands.assemble import corpora, outputs, starting
from unfork.commands.run import cores, fuzzing, sowing
from unfork.errors import InputError
from unfork.failures import Survival
from unfork.program.c import dictionaries
from unfork.program.llvm.module import FUZZ_TARGET
from unfork.report.record.corpus_folder import ArrivingFiles, CorpusFolder, GrowingCorpus
from unfork.report.record.directory import WriteFailed
from unfork.report.replay import native_fuzzer as native_fuzzers
from unfork.world.inputs.arguments import program_name
from unfork.world.inputs.fuzz_inputs import channel_of, test_of
from unfork.world.libc import fuzz_driver

if TYPE_CHECKING:
    from unfork.commands.afterwards.native_check import BuildOrigin
    from unfork.commands.assemble.corpora import WantedFuzzer
    from unfork.commands.run.explorer import Explorer
    from unfork.commands.run.fuzzing import FuzzCampaign, InputChoice
    from unfork.report.record.recorder import Recorder
    from unfork.report.replay.native_fuzzer import NativeFinds, NativeFuzzer, WholeProgram
    from unfork.world.inputs.command import CommandLine

LARGEST = 4096
"""The most bytes of an input of native runs, if neither --input-size nor a larger file of the corpus says otherwise; as
libFuzzer's.
"""
_FOLDER = "corpus"
"""The folder in the run directory, if no option names another one."""


def native_fuzzer(
    wanted: WantedFuzzer,
    arguments: Sequence[str],
    inputs: Sequence[bytes],
    origin: BuildOrigin,
    closing: contextlib.ExitStack,
) -> NativeFuzzer:
    """What fuzzes the program, which has ``arguments``, natively, with the corpus ``inputs``. Raises InputError."""
    whole = _whole(starting.command(origin.options, arguments), origin)
    if whole is not None and wanted.name == "libfuzzer":
        raise InputError("--fuzzer libfuzzer: a program with main needs a process for each input, which own gives it")
    words = None if wanted.dictionary is None else dictionaries.read(Path(wanted.dictionary))
    folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="unfork-fuzz-")))
    folder.chmod(0o711)  # enclosed programs run as a user without rights, who must get this far
    largest = max([LARGEST, *map(len, inputs)])
    if origin.options.is_given("input_size"):
        largest = starting.input_size(origin.options, largest)
    native = origin.fuzzer(folder, wanted.name if whole is None else "own", largest, whole)
    closing.callback(native.close)
    if words is not None:
        native.use_dictionary(*words)
    for data in inputs:
        native.give(data)
    return native


def choice(arguments: Sequence[str], origin: BuildOrigin | None) -> InputChoice | None:
    """What chooses among the inputs of a large corpus; None if the program cannot, or must not, run natively."""
    return None if origin is None or not origin.is_allowed else partial(_chosen_inputs, arguments, origin)


def _chosen_inputs(
    arguments: Sequence[str], origin: BuildOrigin, done: Sequence[bytes], others: Sequence[bytes]
) -> NativeFinds:
    """Those of ``others`` that take edges natively which neither those that are ``done`` nor the rest of them take.

    Raises InputError if the program cannot be built for native fuzzing.
    """
    with contextlib.ExitStack() as closing:
        native = native_fuzzer(corpora.OWN_FUZZER, arguments, done, origin, closing)
        native.look()
        for data in others:
            native.give(data)
        return native.look()


def _whole(command: CommandLine, origin: BuildOrigin) -> WholeProgram | None:
    """The program, if its main takes the input; None for a fuzz target. Raises InputError if it is neither."""
    program = origin.program
    if origin.start.entry == "main" and fuzz_driver.is_target(program):
        return None
    channel = channel_of(program, command)
    if origin.start.entry != "main" or channel is None:
        raise InputError(
            f"--fuzzer: the program takes no fuzzer's input: it neither defines {FUZZ_TARGET} alone, without main, nor "
            "uses AFL++'s macros, @@ (unfork fuzz FILE... -- @@) or standard input"
        )
    if program.is_narrow:
        raise InputError("--fuzzer: native runs need a program with pointers of 64 bits")
    if not command.is_concrete():
        raise InputError("--fuzzer: native runs vary the fuzzer's input alone, not what --sym-... options name")
    test = test_of(channel, origin.files, command, b"")
    return native_fuzzers.WholeProgram(program_name(program.sources), test)


def growing_corpus(
    explorer: Explorer, root: Path, recorder: Recorder, native: NativeFuzzer | None
) -> GrowingCorpus | None:
    """What writes the corpus during the run: to the folder of --corpus-out or, for a fuzzer, in the run directory
    ``root``. Raises WriteFailed.
    """
    folder = outputs.corpus_folder(explorer.options)
    if folder is None and native is not None:
        folder = CorpusFolder(root / _FOLDER)
    if folder is None:
        return None
    folder.make()
    return GrowingCorpus(folder, root, recorder, may_reject=fuzz_driver.is_target(explorer.program))


def begin(
    explorer: Explorer,
    recorder: Recorder,
    growing: GrowingCorpus | None,
    native: NativeFuzzer | None,
    inputs: Sequence[bytes],
    choose: InputChoice | None,
) -> FuzzCampaign | None:
    """Begin with the corpus ``inputs`` and the first native runs; None if there is no corpus. Raises WriteFailed.

    Without native runs that go on, ``choose`` may choose among the inputs.
    """
    folders = [*corpora.folders(explorer.options), *([] if growing is None else [growing.root])]
    if channel_of(explorer.program, explorer.parts.command) is None or not folders:
        return None
    field, arriving = sowing.SeedField(explorer, recorder), ArrivingFiles(folders)
    count = cores.processes(explorer.options)
    campaign = fuzzing.FuzzCampaign(explorer, recorder, field, growing, arriving, native, count)
    with Survival(explorer.failures, "beginning with a corpus", WriteFailed):
        if native is None:
            arriving.skip()
            campaign.sow(inputs, choose)
        campaign.round()
    explorer.first = (*explorer.first, *field.taken_states())
    return campaign
