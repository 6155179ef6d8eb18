"""A project without a harness: its functions, what is certain, what is the caller's business."""
