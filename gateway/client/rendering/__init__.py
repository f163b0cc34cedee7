"""What the command line shows: pure functions from the API's documents to text and tables."""
