"""Commands on many functions of a project: sources, processes, kept results."""
