"""Options become parts."""
