"""Every choice that a user can make: what options there are, what they may be, and which go together."""
