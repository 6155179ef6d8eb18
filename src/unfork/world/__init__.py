"""What surrounds the program: its C library, the kernel, and what it is given."""
