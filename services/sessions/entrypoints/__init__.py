"""How requests, events and jobs reach sessions."""
