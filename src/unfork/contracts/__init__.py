"""What parts promise each other."""
