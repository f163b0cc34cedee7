"""`python -m services.accounts`: the processes of accounts and what operators do with it."""

from services.accounts.entrypoints.commands import main

if __name__ == "__main__":
    main()
