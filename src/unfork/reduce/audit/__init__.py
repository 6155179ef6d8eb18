"""Proves joins and covers again, with another solver."""
