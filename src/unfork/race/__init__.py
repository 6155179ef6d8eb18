"""Several explorations of one program in one run: each a strategy of its own, and all meet between rounds."""
