"""In which order: the exploration loop, the searchers, the execution graph and the limits."""
