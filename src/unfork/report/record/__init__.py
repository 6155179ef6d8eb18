"""The run directory: what a run writes down, and what is told of that."""
