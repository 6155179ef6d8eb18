"""Runs states: instructions compiled to Python, loops in one step, machine code."""
