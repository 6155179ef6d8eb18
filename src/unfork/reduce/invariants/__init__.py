"""Invariants of loops."""
