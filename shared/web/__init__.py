"""The HTTP edge that every service shares: app factory, problems, tokens, server."""
