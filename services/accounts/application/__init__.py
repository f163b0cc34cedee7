"""What accounts does for people: one module for each kind of wish, transactions included."""
