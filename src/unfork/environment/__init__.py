"""What the program sees of the world."""
