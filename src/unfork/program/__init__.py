"""What is explored: its text, its instructions, and what is known of it without running it."""
