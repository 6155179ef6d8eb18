"""Facts about a program, without running it."""
