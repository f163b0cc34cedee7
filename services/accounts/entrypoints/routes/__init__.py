"""The routes of accounts, one module for each part of the contract."""
