"""Explores a program: a race of strategies, a team, a cluster."""
