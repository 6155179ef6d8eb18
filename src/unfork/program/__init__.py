"""The program under test, and what is known about it without running it."""
