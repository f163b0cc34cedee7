"""How requests reach rules: over HTTP, and over the stream."""
