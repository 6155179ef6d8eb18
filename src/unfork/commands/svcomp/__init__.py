"""Answers tasks of competitions."""
