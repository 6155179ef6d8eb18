"""A program that was packed is the same when it is read again, wherever that is."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from unfork.commands.assemble import starting
from unfork.commands.assemble.building import silent_progress
from unfork.options.options import Options
from unfork.program.llvm import compiler
from unfork.program.llvm.module import Program
from unfork.program.llvm.reader import pack, unpack

SOURCE = Path("examples/regexp.c")


@pytest.fixture
def program() -> Program:
    options = Options()
    libraries = starting.libraries(options, silent_progress)
    return compiler.build([SOURCE], starting.compile_options(options), [], libraries)


def test_a_program_is_the_same_when_it_is_read_again_elsewhere(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = pickle.dumps(pack(program))
    here = [program.function(name) for name in program.defined]
    monkeypatch.chdir(tmp_path)
    again = unpack(pickle.loads(sent))
    assert again.bitcode == program.bitcode
    assert again.sources == program.sources == (str(SOURCE),)
    assert again.defined == program.defined
    assert [again.function(name).blocks for name in again.defined] == [function.blocks for function in here]
    assert [again.function(name).position for name in again.defined] == [function.position for function in here]


def test_what_was_not_read_cannot_be_packed(program: Program) -> None:
    program.reading = None
    with pytest.raises(ValueError, match="was not read"):
        pack(program)
