"""What each instruction means."""
