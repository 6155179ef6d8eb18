"""What an instruction may do to a state."""
