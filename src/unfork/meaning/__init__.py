"""What an expression of C or of a contract means at a place in a state: a formula, a number or a place in memory."""
