"""Reports of a run for people and for other tools."""
