"""Formulae, and who decides them."""
