"""The protocols between the parts of the engine."""
