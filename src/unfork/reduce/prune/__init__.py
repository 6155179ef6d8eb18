"""States that need not be explored."""
