"""Invariants of loops: what is modified, what may hold of that, and which of it is inductive."""
