"""Learns why finished subtrees were safe."""
