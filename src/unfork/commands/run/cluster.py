"""Explores on a cluster: each exploration is a Ray actor that begins from data. The only module that imports ray.

When an actor or its machine dies, the exploration begins anew in another actor and repeats its tasks. Explorations are
deterministic, so it comes to where it was.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from time import monotonic
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from unfork import host
from unfork.commands.run.actor_worker import ActorWorker, fingerprint, unpack_report
from unfork.commands.run.meetings import Explore
from unfork.commands.run.messages import Give, WorkerReport, WorkerTask
from unfork.errors import InputError

LOCAL = "local"
"""The address that starts a cluster on this machine for the run."""
_CURRENT = "auto"
"""The address of the cluster to which this machine belongs."""
_LIVES = 2
"""Actors that one exploration may use up."""
_SHARE = 0.001
"""Processors that an actor reserves: so few that all find a place, but not on a machine without any."""
_STORE = 128 << 20
"""Bytes of the object store of a cluster that is started for the run, which stores nothing there."""
_PIECE = 64 << 10
"""Bytes of an argument of a call. Ray passes more than 100 KB through the object store, and 2.60 sometimes crashed when
it freed an object there."""
_SECONDS_TO_CONNECT = 5.0


class Cluster:
    """The machines that Ray knows. All explorations get the value of ``pack``."""

    def __init__(self, is_ours: bool, pack: Callable[[], object]) -> None:
        self.notes: list[str] = []
        self._is_ours = is_ours
        self._pack = pack
        self._shared: list[bytes] = []
        self._actors: list[Actor] = []
        self._worker = ray.remote(max_concurrency=2, num_cpus=_SHARE)(ActorWorker)
        self._moves = 0

    def begin(self, name: str, explore: Explore) -> Actor:
        if not self._shared:
            shared = pickle.dumps(self._pack())
            self._shared = [shared[start : start + _PIECE] for start in range(0, len(shared), _PIECE)]
        worker, pieces = self._worker, self._shared

        def begin(dead: str | None) -> Any:
            placed = worker.options(scheduling_strategy="SPREAD" if dead is None else self._away_from(dead))
            return placed.remote(fingerprint(), pickle.dumps(explore), *pieces)

        actor = Actor(name, begin, self.notes.append)
        self._actors.append(actor)
        return actor

    def _away_from(self, node: str) -> Any:
        """Place an actor on another machine if there is one: Ray notices late that a machine is dead."""
        alive = [each["NodeID"] for each in ray.nodes() if each["Alive"] and each["Resources"].get("CPU")]
        others = [each for each in alive if each != node]
        if not others:
            return "SPREAD"
        self._moves += 1
        return NodeAffinitySchedulingStrategy(others[self._moves % len(others)], soft=True)

    def close(self) -> None:
        """End all actors, and the cluster if it was started for this run."""
        for actor in self._actors:
            actor.end()
        self._actors = []
        if self._is_ours:
            with _keep_handlers():
                ray.shutdown()


class Actor:
    """An exploration in an actor (Remote).

    ``begin`` makes an actor, not on the machine that it is given if that may be dead. ``note`` takes a line on each
    death.
    """

    def __init__(self, name: str, begin: Callable[[str | None], Any], note: Callable[[str], None]) -> None:
        self.name = name
        self._begin = begin
        self._note = note
        self._actor: Any = None
        self._node: Future[str] = Future()
        self._place(None)
        self._deaths = 0
        self._tasks: list[WorkerTask] = []
        self._answer: Future[tuple[bytes, int]] = Future()
        self._grown = 0
        self._ours, self._theirs = socket.socketpair()

    def start(self, message: WorkerTask | Give) -> None:
        assert isinstance(message, WorkerTask)  # not Give: it has no team
        self._tasks.append(message)
        self._ask([message])

    def fileno(self) -> int:
        return self._ours.fileno()

    def has_news(self) -> bool:
        """Whether a report or its end has come. When it dies for the first time, it begins anew instead."""
        self._ours.recv(1)
        problem = self._answer.exception()
        if problem is None:
            return True
        if isinstance(problem, RayTaskError) or not isinstance(problem, RayError):
            self._note(f"{self.name}: ended on the cluster: {_last_line(problem)}")
            return True
        self._deaths += 1
        if self._deaths == _LIVES:
            self._note(f"{self.name}: its actor died again, and it takes no part any more: {_first_line(problem)}")
            return True
        rounds = len(self._tasks)
        self._note(f"{self.name}: its actor died in round {rounds}; it began anew elsewhere: {_first_line(problem)}")
        dead = None if not self._node.done() or self._node.exception() is not None else self._node.result()
        self._kill()  # it may only be out of reach
        self._place(dead)
        self._ask(self._tasks)
        return False

    def report(self) -> WorkerReport:
        packed, self._grown = self._answer.result()
        return unpack_report(packed)

    def is_stopped(self) -> bool:
        return False  # unknown

    def grown(self) -> int:
        return self._grown  # when it last reported

    def used(self) -> float:
        """Seconds of the clock: its processor seconds are unknown."""
        return monotonic()

    def interrupt(self) -> None:
        self._actor.interrupt.remote()

    def end(self) -> None:
        """End it, and keep no object of Ray's: a fork of this process must not find one."""
        self._ours.close()
        self._theirs.close()
        if self._actor is not None:
            self._kill()
        self._actor = None
        self._answer, self._node = Future(), Future()

    def _place(self, dead: str | None) -> None:
        self._actor = self._begin(dead)
        self._node = self._actor.__ray_call__.remote(_node).future()

    def _kill(self) -> None:
        with contextlib.suppress(RayError):
            ray.kill(self._actor)

    def _ask(self, tasks: list[WorkerTask]) -> None:
        self._answer = self._actor.play.remote(tasks).future()
        self._answer.add_done_callback(self._ring)

    def _ring(self, answer: Future[tuple[bytes, int]]) -> None:
        with contextlib.suppress(OSError):  # it was ended
            self._theirs.send(b"!")


def connect(address: str, pack: Callable[[], object]) -> Cluster:
    """The cluster at ``address``: "local" starts one here, unless there is one. Raises InputError if there is none."""
    if ray.is_initialized():
        return Cluster(is_ours=False, pack=pack)
    chosen: dict[str, Any] = {}
    if address == LOCAL:
        chosen = {
            "num_cpus": len(host.this().cores()),
            "include_dashboard": False,
            "object_store_memory": _STORE,
        }
    elif address != _CURRENT:
        _check_reachable(address)
    with _keep_handlers():
        try:
            ray.init(address, logging_level=logging.CRITICAL, log_to_driver=False, **chosen)
        except (OSError, RuntimeError, ValueError, RayError) as problem:
            raise InputError(f"--cluster {address}: {_first_line(problem)}") from None
    return Cluster(is_ours=True, pack=pack)


def _check_reachable(address: str) -> None:
    """Raise InputError where Ray would try to connect for minutes and then end this process."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in host:
        raise InputError(f"--cluster {address}: must be {LOCAL}, {_CURRENT} or HOST:PORT")
    try:
        socket.create_connection((host, int(port)), _SECONDS_TO_CONNECT).close()
    except (OSError, OverflowError) as problem:
        raise InputError(f"--cluster {address}: cannot be reached ({problem})") from None


def _node(worker: ActorWorker) -> str:
    node: str = ray.get_runtime_context().get_node_id()
    return node


@contextlib.contextmanager
def _keep_handlers() -> Iterator[None]:
    """Put back the handler of SIGTERM that Ray replaces."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # not the main thread: Ray has replaced nothing
            signal.signal(signal.SIGTERM, before)


def _first_line(problem: BaseException) -> str:
    return next((line.strip() for line in str(problem).splitlines() if line.strip()), type(problem).__name__)


def _last_line(problem: BaseException) -> str:
    return next((line.strip() for line in str(problem).splitlines()[::-1] if line.strip()), type(problem).__name__)
