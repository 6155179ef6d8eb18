"""The program's surroundings: C library, kernel, inputs."""
