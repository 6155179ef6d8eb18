"""Runs tests again, on the engine and natively."""
