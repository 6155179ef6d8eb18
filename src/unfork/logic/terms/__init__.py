"""Symbolic values and their normal forms."""
