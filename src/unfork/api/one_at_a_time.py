"""Runs in one process take turns: all threads share the table of terms, and only one may fill it."""

from __future__ import annotations

import threading

ONE_AT_A_TIME = threading.RLock()
"""Held by the thread that runs the engine. Others wait; their time limits start when they get it."""
