"""Control-flow facts and liveness on graphs drawn by hand."""

from __future__ import annotations

from collections.abc import Callable

from unfork.program.facts.cfg import ControlFlow, control_flow
from unfork.program.facts.dataflow import Liveness, fixpoint
from unfork.program.llvm.module import Function, Program

Compile = Callable[..., Program]

LOOP = """
define i32 @f(i32 %n, i32 %k) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = phi i32 [ %k, %entry ], [ %t, %latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %done
body:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %left, label %latch
left:
  %u = add i32 %s, %i
  br label %latch
latch:
  %t = phi i32 [ %u, %left ], [ %s, %body ]
  %next = add i32 %i, 1
  br label %head
done:
  ret i32 %s
dead:
  br label %done
}
"""
ENTRY, HEAD, BODY, LEFT, LATCH, DONE, DEAD = range(7)
N, K, COUNT, S, C, ODD, U, T, NEXT = range(9)


def mask(*registers: int) -> int:
    return sum(1 << register for register in registers)


def loop(read_ir: Compile) -> Function:
    return read_ir(LOOP).function("f")


def test_graph_of_a_loop(read_ir: Compile) -> None:
    flow = control_flow(loop(read_ir))
    assert flow.successors[HEAD] == (BODY, DONE)
    assert flow.predecessors[LATCH] == [BODY, LEFT]
    assert flow.order == [ENTRY, HEAD, BODY, LEFT, LATCH, DONE]
    assert flow.rank[DEAD] == -1
    assert flow.dominators == [ENTRY, ENTRY, HEAD, BODY, BODY, HEAD, -1]
    assert flow.post_dominators[BODY] == LATCH
    assert flow.post_dominators[LATCH] == HEAD
    assert flow.post_dominators[DONE] == flow.exit
    assert flow.dominates(HEAD, LEFT)
    assert not flow.dominates(LEFT, LATCH)
    assert flow.loop_heads == {HEAD}
    assert flow.loops == {HEAD: {HEAD, BODY, LEFT, LATCH}}
    assert flow.join_points == {HEAD, LATCH}


def test_an_endless_loop_has_no_post_dominator(read_ir: Compile) -> None:
    text = "define void @f() {\n  br label %a\na:\n  br label %a\n}\n"
    flow = control_flow(read_ir(text).function("f"))
    assert flow.post_dominators == [-1, -1]
    assert flow.loop_heads == {1}


def test_an_irreducible_cycle_has_a_head(read_ir: Compile) -> None:
    text = """
define void @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br i1 %c, label %b, label %end
b:
  br label %a
end:
  ret void
}
"""
    flow = control_flow(read_ir(text).function("f"))
    assert len(flow.loop_heads) == 1
    assert flow.loops == {}


def test_liveness_through_phis(read_ir: Compile) -> None:
    function = loop(read_ir)
    live = Liveness(function, ControlFlow(function.blocks))
    assert live.entry[ENTRY] == mask(N, K)
    assert live.along(ENTRY, HEAD, live.entry) == mask(N, K)
    assert live.entry[HEAD] == mask(N, COUNT, S)
    assert live.along(LATCH, HEAD, live.entry) == mask(N, NEXT, T)
    assert live.along(LEFT, LATCH, live.entry) == mask(N, COUNT, U)
    assert live.along(BODY, LATCH, live.entry) == mask(N, COUNT, S)
    assert live.entry[LATCH] == mask(N, COUNT, T)
    assert live.before(LATCH, 0) == mask(N, COUNT, T)
    assert live.before(LATCH, 1) == mask(N, T, NEXT)
    assert live.before(LATCH, 1) == mask(N, T, NEXT)
    assert live.entry[DONE] == mask(S)


def test_fixpoint_reaches_what_depends() -> None:
    edges = [[1], [2], [0, 3], []]
    reached = fixpoint(
        [3, 2, 1, 0],
        [[2], [0], [1], [2]],
        [frozenset[int]()] * 4,
        lambda node, facts: frozenset((node,)).union(*(facts[target] for target in edges[node])),
    )
    assert reached == [frozenset(range(4))] * 3 + [frozenset((3,))]
