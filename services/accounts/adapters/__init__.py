"""What accounts keeps and with what: PostgreSQL tables, signing keys, the password hasher."""
