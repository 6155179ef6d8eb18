"""unfork inside other tools: what their plug-in interfaces load."""
