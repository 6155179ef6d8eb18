"""C as text: what is read in it before a compiler sees it, contracts and annotations among it."""
