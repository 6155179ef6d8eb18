"""Every choice that a user can make: the options, their values, and which go together."""
