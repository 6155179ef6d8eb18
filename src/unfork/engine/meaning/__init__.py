"""What expressions of C and of contracts mean in a state."""
