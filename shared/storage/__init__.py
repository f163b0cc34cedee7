"""PostgreSQL access that every service shares: engine, ids, migrations."""
