"""What holds whenever a loop comes round."""
