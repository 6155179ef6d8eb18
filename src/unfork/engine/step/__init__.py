"""The effects of an instruction on a state."""
