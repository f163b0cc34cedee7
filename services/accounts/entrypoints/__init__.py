"""How the outside reaches accounts: HTTP, the bus, the command line."""
