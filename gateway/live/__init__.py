"""The live view: a process that holds the open streams of games and tells each what its log gains."""
