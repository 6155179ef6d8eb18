"""Algorithm 1: the loop, the order of states, limits."""
