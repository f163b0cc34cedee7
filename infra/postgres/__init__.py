"""What a PostgreSQL server needs before the services' migrations can run: roles and databases."""
