"""C as text: contracts, annotations and calls in it."""
