"""What other tools read: one module for each format."""
