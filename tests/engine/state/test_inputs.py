from __future__ import annotations

import pickle

from unfork.engine.state.inputs import InputObject, Inputs


def one(name: str) -> InputObject:
    return InputObject(name, "symbolic", 1, ())


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


def test_a_type_is_noted_without_a_copy() -> None:
    common = Inputs([one("a")])
    longer = common.with_one(one("b"))
    longer.describe("int")
    assert [each.type_name for each in longer] == [None, "int"]
    assert longer.with_one(one("c"))._all is common._all


def test_paths_that_share_their_inputs_are_packed_with_one_list() -> None:
    inputs = [Inputs([one(str(number)) for number in range(100)])]
    for _ in range(100):
        inputs.append(inputs[-1].with_one(one("more")))
    assert len(pickle.dumps(inputs)) < 3 * len(pickle.dumps(inputs[-1]))
    again = pickle.loads(pickle.dumps(inputs))
    assert again == inputs
    assert [names(each.with_one(one("!")))[-1] for each in again] == ["!"] * len(inputs)
