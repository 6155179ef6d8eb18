"""Where symbolic values come from."""
