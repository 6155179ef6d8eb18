"""The meaning of expressions of C and of contracts in a state."""
