"""What the user reads: the run directory, the verdict, test cases and text."""
