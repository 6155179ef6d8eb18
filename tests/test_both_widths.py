"""Programs of the corpus come out the same with pointers of 32 bits, unless their text depends on widths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import Expected, programs
from tests.support.power import IS_FULL
from tests.support.runs import errors_of, explore
from unfork.commands.run.run import Result

FOR_64 = frozenset(("cpp", "fuzz_targets", "narrow", "several_objects"))
"""Topics of what is refused where pointers have 32 bits, or has its width already."""
REFUSED = ("--abstract", "--strategy")
NARROW = ("--data-model", "ILP32")
PLAIN = ("--merge", "none", "--loops", "run", *NARROW)
PRUNINGS = ("subsume", "interpolate")
ONE_IN = 32
"""So many of the programs are run, where not everything is to run."""
DEPEND = {
    "a long, a pointer or an alignment of 64 bits": """
        addresses/bytes_exact addresses/bytes_joined addresses/bytes_long_loop_bug addresses/bytes_long_loop_fixed
        addresses/distances addresses/hashes addresses/large_objects addresses/symbolic_choice addresses/tags
        alloca/vla_any_size_bug builtins/bit_counting builtins/carry_chain builtins/with_overflow
        byte_mix/concrete_byte_in_symbolic_word casts/int_float_concrete casts/numbers_that_look_like_addresses
        cprover_functions/pointers_and_objects long_double/arithmetic long_double/conversions
        long_double/functions_and_structs long_double/size_and_bytes overflow_check/atoi_limits_bug
        overflow_check/atoi_not_asked_for overflow_check/long_accumulate_bug pointers/walk_structures
        printing/known_arguments shift_check/right_fixed varargs/narrow_promotions heap_types/union_in_pieces_bug
        """,
    "__int128, or a bit-field of a wide long": """
        floats/checksum floats/quadruple inline_assembly/wide_arithmetic integers/int128_arithmetic
        integers/int128_symbolic integers/multiply_high integers/odd_widths shift_check/unchecked_takes_amount_modulo
        verifier_functions/every_type
        """,
    "a va_list that is passed by value, or a struct that is returned in memory": """
        cprover_functions/nondet_types varargs/list_passed_on
        """,
    "members, or a cursor, that bound a range": """
        pointer_ranges/before_cursor_bug pointer_ranges/before_cursor_fixed pointer_ranges/cursor_by_address_bug
        pointer_ranges/cursor_by_address_fixed pointer_ranges/reader_bug pointer_ranges/reader_fixed
        pointer_ranges/scanner_fixed pointer_ranges/scanner_later_fixed pointer_ranges/scanner_three_fixed
        """,
    "numbers of system calls, instructions, or the depth of a stack": """
        endless_recursion/stack_fixed inline_assembly/cpuid kernel_time/null_bug kernel_time/null_fixed
        """,
    "text that is printed piece by piece, which takes long": """
        endless_recursion/mutual_prints_bug endless_recursion/prints_bug nontermination/prints_bug
        nontermination/prints_to_both_bug
        """,
}
"""Programs that come out otherwise, by what of them depends on widths."""
DEPENDENT = frozenset(name for names in DEPEND.values() for name in names.split())
LOUD = ("where pointers have 32 bits", "call of the undefined function syscall")


def _is_for_both(program: Expected) -> bool:
    topic = program.path.parent.name
    if topic in FOR_64 or program.path.suffix != ".c":
        return False
    return not set(REFUSED).intersection(program.options)


FOR_BOTH = [program for program in programs() if _is_for_both(program) and program.name not in DEPENDENT]
DEAR = ("endless_recursion", "libc_numbers/strtod_every", "kernel_files/unterminated_name")
"""The beginnings of names of programs that take several seconds."""
CHOSEN = FOR_BOTH if IS_FULL else [each for each in FOR_BOTH if not each.name.startswith(DEAR)][::ONE_IN]
UNPRUNED = {"nontermination", "measured"}
"""Words of options that go without --prune."""
ALL_PRUNED = [
    program
    for program in FOR_BOTH
    if program.path.parent.name != "threads" and not UNPRUNED.intersection(program.options)
]
PRUNED = ALL_PRUNED if IS_FULL else [each for each in ALL_PRUNED if not each.name.startswith(DEAR)][:: 4 * ONE_IN]


BY_TURNS = [(program, PRUNINGS[at % len(PRUNINGS)]) for at, program in enumerate(PRUNED)]


@pytest.mark.parametrize(
    ("program", "pruning"), BY_TURNS, ids=[f"{program.name}-{pruning}" for program, pruning in BY_TURNS]
)
def test_pruning_loses_no_error(program: Expected, pruning: str, tmp_path: Path) -> None:
    _check(explore(program, tmp_path / "out", *PLAIN, "--prune", pruning, "--audit"), program)


@pytest.mark.parametrize("program", PRUNED[::2], ids=[program.name for program in PRUNED[::2]])
def test_no_loop_is_wrongly_proved(program: Expected, tmp_path: Path) -> None:
    result = explore(program, tmp_path / "out", *NARROW, "--loops", "abstract", "--max-time", "3s")
    assert errors_of(result) <= program.errors
    assert result.verdict in ("unknown", program.verdict)


@pytest.mark.parametrize("program", CHOSEN, ids=[program.name for program in CHOSEN])
def test_a_program_comes_out_the_same_or_is_refused(program: Expected, tmp_path: Path) -> None:
    words = NARROW if {"--calls", "--loops", "--prune"}.intersection(program.options) else PLAIN
    result = explore(program, tmp_path / "out", *words)
    if not _check(result, program):
        return
    assert program.paths in (None, result.summary["paths"]["completed"])


def _check(result: Result, program: Expected) -> bool:
    """Check the errors and the verdict. Whether no path was given up for its width."""
    if any(words in str(result.summary["given_up"]) for words in LOUD):
        assert result.verdict in ("unknown", program.verdict)
        assert errors_of(result) <= program.errors
        return False
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict
    return True


def test_the_list_names_programs() -> None:
    assert {program.name for program in programs() if _is_for_both(program)} >= DEPENDENT
