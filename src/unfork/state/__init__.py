"""What one path knows; no C semantics."""
