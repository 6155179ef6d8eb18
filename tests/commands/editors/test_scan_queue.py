"""One file is scanned at a time; a save goes first, and ends what is under way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from unfork.commands.editors.scan_queue import ScanQueue


class _Work:
    """Notes what begins and ends; each name goes on until ``finish``."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}

    async def __call__(self, name: str) -> None:
        self.notes.append(f"{name} begins")
        self._ends[name] = asyncio.Event()
        try:
            await self._ends[name].wait()
        except asyncio.CancelledError:
            self.notes.append(f"{name} is given up")
            raise
        if name == "bad":
            raise ValueError(name)
        self.notes.append(f"{name} ends")

    async def finish(self, name: str) -> None:
        self._ends[name].set()
        await settle()


async def settle() -> None:
    """Let all tasks run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def noted(play: Callable[[ScanQueue, _Work], Awaitable[None]]) -> list[str]:
    """What happens in a play."""

    async def run() -> list[str]:
        work = _Work()
        await play(ScanQueue(work, lambda problem: work.notes.append(repr(problem))), work)
        return work.notes

    return asyncio.run(run())


def test_a_newer_save_ends_the_scan_of_an_older_one() -> None:
    async def play(queue: ScanQueue, work: _Work) -> None:
        queue.urge("a")
        await settle()
        queue.urge("a")
        await settle()
        await work.finish("a")

    assert noted(play) == ["a begins", "a is given up", "a begins", "a ends"]


def test_what_a_save_of_another_file_interrupts_begins_again() -> None:
    async def play(queue: ScanQueue, work: _Work) -> None:
        queue.add("a")
        queue.add("b")
        await settle()
        queue.urge("c")
        queue.urge("c")
        await settle()
        for name in ("c", "a", "b"):
            await work.finish(name)

    happens = ["a begins", "a is given up", "c begins", "c ends", "a begins", "a ends", "b begins", "b ends"]
    assert noted(play) == happens


def test_a_closed_file_is_dropped() -> None:
    async def play(queue: ScanQueue, work: _Work) -> None:
        queue.add("a")
        queue.add("b")
        await settle()
        queue.drop("b")
        queue.drop("a")
        await settle()

    assert noted(play) == ["a begins", "a is given up"]


@pytest.mark.parametrize("name", ["bad"])
def test_a_failure_costs_its_own_file_alone(name: str) -> None:
    async def play(queue: ScanQueue, work: _Work) -> None:
        queue.urge(name)
        await settle()
        queue.add("b")
        await work.finish(name)
        await work.finish("b")

    assert noted(play) == ["bad begins", "ValueError('bad')", "b begins", "b ends"]
