"""The ruleset `the-game`: pure functions behind one door, `ruleset`."""
