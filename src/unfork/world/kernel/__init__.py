"""System calls over files that are not the host's."""
