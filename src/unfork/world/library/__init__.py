"""Functions that unfork models."""
