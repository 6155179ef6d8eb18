"""Who decides a question: path conditions, the chain before the solvers, and the solvers."""
