"""What an instruction does."""
