"""The program under test: compiling, linking, passes, reading of its instructions and debug information."""
