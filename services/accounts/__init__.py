"""Accounts: people, their saved players and their plan."""
