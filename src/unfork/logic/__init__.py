"""Formulas: values, and who decides questions about them."""
