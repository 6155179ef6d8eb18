"""Proofs that functions keep their contracts."""
