"""Why a finished subtree was safe, as a condition on the state that it began in (Chu17)."""
