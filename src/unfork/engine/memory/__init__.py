"""Where pointers lead, and what accesses do there; threads."""
