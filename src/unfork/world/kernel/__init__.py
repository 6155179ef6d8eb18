"""System calls over a world of files that are not the host's."""
