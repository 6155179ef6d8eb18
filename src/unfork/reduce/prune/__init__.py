"""A state that need not be explored."""
