"""The run directory: its files, and explanations of them."""
