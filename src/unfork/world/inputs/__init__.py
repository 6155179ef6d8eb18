"""What a program or a function is given, and tests of that."""
