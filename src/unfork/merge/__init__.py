"""State merging: how two states become one, and when that pays."""
