"""Inputs of a program or a function, and tests that fix them."""
