"""Many functions of a project: sources, processes, what is kept."""
