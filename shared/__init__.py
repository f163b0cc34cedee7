"""Vocabulary and plumbing that every service uses; nothing about the game or its people."""
