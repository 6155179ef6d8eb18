"""The state of one path."""
