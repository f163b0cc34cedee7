"""Rules: what is legal, and what can be inferred; pure, and storing nothing."""
