"""What the parts of the engine promise each other."""
