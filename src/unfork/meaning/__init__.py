"""What an expression of C or of a contract means in a state: a formula, a number or a memory location."""
