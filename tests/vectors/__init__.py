"""The vectors of the ruleset, and the tests that run them."""
