"""What holds about people, tokens and players: pure decisions, no clock, no database."""
