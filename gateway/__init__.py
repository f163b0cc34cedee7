"""The edge: the one address that clients know, and the clients that use nothing but that address."""
