"""What scripts and notebooks call."""
