"""What is known of a program without running it."""
