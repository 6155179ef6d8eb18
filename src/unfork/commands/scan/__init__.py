"""A project without a harness: what is certainly wrong in it."""
