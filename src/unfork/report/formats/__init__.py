"""The formats of other tools."""
