"""Who decides a question: path conditions, the chain in front of the solvers, and the solvers."""
