"""A run as one page of HTML: its source, its findings, its paths and its execution graph."""
