"""The library of modelled functions and intrinsics: what the program calls and does not define."""
