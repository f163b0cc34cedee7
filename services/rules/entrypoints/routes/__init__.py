"""Routes of rules beside those of rulesets, one module for each part of the contract."""
