"""Redis Streams for the services: requests and replies, events out of the outbox, consumers, dead letters."""
