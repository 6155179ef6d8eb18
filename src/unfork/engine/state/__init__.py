"""What one path knows."""
