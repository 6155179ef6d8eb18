"""Runs of one process come one after the other: all threads share the table of terms, which only one may fill."""

from __future__ import annotations

import threading

ONE_AT_A_TIME = threading.RLock()
"""Held by whoever runs the engine; another thread waits, and its time limit begins when it is let in."""
