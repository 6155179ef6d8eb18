from __future__ import annotations

from unfork.state.inputs import Input, Inputs


def one(name: str) -> Input:
    return Input(name, "symbolic", 1, ())


def names(inputs: Inputs) -> str:
    return "".join(each.name for each in inputs)


def test_two_paths_go_on_from_the_same_inputs() -> None:
    common = Inputs().with_one(one("a")).with_one(one("b"))
    first, second = common.with_one(one("c")), common.with_one(one("d"))
    assert (names(common), names(first), names(second)) == ("ab", "abc", "abd")
    assert (len(common), first.last.name, names(Inputs(first.after(1)))) == (2, "c", "bc")
    assert first.but_last() == common != second


def test_what_was_taken_back_is_made_anew() -> None:
    both = Inputs([one("a"), one("b")])
    assert names(both.but_last().with_one(one("c"))) == "ac"
    assert names(both) == "ab"
    assert both.typed("int").last.type_name == "int"
    assert both.last.type_name is None
