"""Replays of tests, on the engine and natively."""
