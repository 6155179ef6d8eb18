"""Witnesses: what they say, and whether it holds."""
