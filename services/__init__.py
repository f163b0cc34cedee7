"""The services: rules, sessions, accounts. They never import each other."""
