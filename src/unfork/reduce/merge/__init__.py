"""Joining states."""
