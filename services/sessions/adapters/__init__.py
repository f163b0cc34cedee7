"""Where sessions meets PostgreSQL, rules and accounts."""
