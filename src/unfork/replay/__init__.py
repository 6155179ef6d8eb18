"""The second opinion: tests run again on the engine, concretely, and natively."""
