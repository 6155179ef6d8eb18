"""The C and C++ libraries, built from their sources."""
