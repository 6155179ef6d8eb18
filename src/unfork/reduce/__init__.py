"""Fewer states: what is joined, covered or learnt."""
