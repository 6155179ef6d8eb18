"""What is done with a finished run: export, replay, page."""
