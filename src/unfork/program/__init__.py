"""What is executed, and what is known of it without running it."""
