"""Which file is scanned now: one at a time, the last saved one first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class ScanQueue:
    """Calls ``work`` for one name at a time. Its failures go to ``fail``."""

    def __init__(self, work: Callable[[str], Awaitable[None]], fail: Callable[[BaseException], None]) -> None:
        self._work = work
        self._fail = fail
        self._waiting: dict[str, None] = {}
        """The last one is next."""
        self._current = ""
        self._task: asyncio.Future[None] | None = None
        self._all: asyncio.Future[None] | None = None
        """Goes through the names until none waits."""

    def add(self, name: str) -> None:
        """Work on it once all others are done, unless it waits already."""
        if name != self._current and name not in self._waiting:
            self._waiting = {name: None} | self._waiting
        self._go_on()

    def urge(self, name: str) -> None:
        """Work on it at once, and from the start. Work under way begins again later."""
        if self._task is not None and self._current:
            self._waiting[self._current] = None
            self._current = ""
            self._task.cancel()
        self._waiting.pop(name, None)
        self._waiting[name] = None
        self._go_on()

    def drop(self, name: str) -> None:
        """Work on it no more."""
        self._waiting.pop(name, None)
        if name == self._current and self._task is not None:
            self._current = ""
            self._task.cancel()

    def _go_on(self) -> None:
        if self._all is None:
            self._all = asyncio.ensure_future(self._work_on_all())

    async def _work_on_all(self) -> None:
        while self._waiting:
            self._current, _ = self._waiting.popitem()
            self._task = asyncio.ensure_future(self._work(self._current))
            await asyncio.wait([self._task])
            task, self._task, self._current = self._task, None, ""
            problem = None if task.cancelled() else task.exception()
            if problem is not None:
                self._fail(problem)
        self._all = None
