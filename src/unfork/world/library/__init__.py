"""Functions that unfork defines itself."""
