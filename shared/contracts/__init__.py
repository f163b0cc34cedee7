"""What the parts say to each other: problems, events, messages and streams, as data."""
