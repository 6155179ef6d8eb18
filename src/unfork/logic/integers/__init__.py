"""Bit vectors read as integers."""
