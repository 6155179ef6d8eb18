"""Second proofs: what exploration joined or dropped is proved again, with another solver and none of the same code."""
