"""What a Redis or Valkey server needs before the services can connect: one ACL user for each."""
