"""What `unfork X` does."""
