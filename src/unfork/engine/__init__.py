"""One path at a time, and the loop over all of them."""
