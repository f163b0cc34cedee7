"""Commands for the account: signing up, in and out, password, export, deletion, Plus."""

import json
import os
from pathlib import Path

import click

from gateway.client.cli.commands import LANGUAGES, Command, Commands, pass_invocation
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.passwords import password, password_stdin
from gateway.client.contract import Account
from gateway.client.problems import ApiProblem
from gateway.client.rendering.text import printable


def told(account: Account) -> str:
    """Who an account is, in a line."""
    name = account.get("display_name")
    known = f"{printable(account['email'])} ({printable(name)})" if name else printable(account["email"])
    return f"{known}, plan {printable(account.get('plan', 'free'))}"


@click.command("sign-up", cls=Command)
@click.argument("email")
@click.option("--name", metavar="NAME", help="How you are called.")
@click.option("--locale", type=click.Choice(LANGUAGES), help="Your language.")
@password_stdin
@pass_invocation
def sign_up(
    invocation: Invocation, email: str, name: str | None, locale: str | None, password_stdin: bool
) -> None:
    """Open an account and be signed in to it (password: 10 to 256 characters)."""
    secret = password(password_stdin, repeat=True)
    answer = invocation.client.accounts.sign_up(email, secret, display_name=name, locale=locale)
    account = answer["account"]
    invocation.home.remember_account(invocation.url, account["id"])
    invocation.answer(account, f"Signed up: {told(account)}.", "Next: ninety8 new NAME NAME … starts a game.")


@click.command("sign-in", cls=Command)
@click.argument("email")
@password_stdin
@pass_invocation
def sign_in(invocation: Invocation, email: str, password_stdin: bool) -> None:
    """Sign in on this machine."""
    invocation.client.auth.sign_in(email, password(password_stdin))
    account = invocation.client.accounts.me()
    invocation.home.remember_account(invocation.url, account["id"])
    invocation.answer(account, f"Signed in: {told(account)}.")


@click.command("sign-out", cls=Command)
@click.option("--everywhere", is_flag=True, help="End every sign-in of the account, on all devices.")
@pass_invocation
def sign_out(invocation: Invocation, everywhere: bool) -> None:
    """Sign out here, or everywhere."""
    try:
        invocation.client.auth.sign_out(everywhere=everywhere)
    except ApiProblem as problem:
        if problem.status != 401 or everywhere:
            raise
        # The gateway does not know these tokens any more, which is what was asked for.
        invocation.home.tokens(invocation.url).forget()
    invocation.answer({"signed_out": True}, "Signed out everywhere." if everywhere else "Signed out.")


@click.command("whoami", cls=Command)
@pass_invocation
def whoami(invocation: Invocation) -> None:
    """Say who is signed in, and where."""
    account = invocation.client.accounts.me()
    invocation.answer(account, f"{told(account)}, at {invocation.url}")


@click.command("password", cls=Command)
@password_stdin
@pass_invocation
def change_password(invocation: Invocation, password_stdin: bool) -> None:
    """Change the password; every other sign-in ends (standard input: the old one, then the new one)."""
    current = password(password_stdin, "Current password")
    new = password(password_stdin, "New password", repeat=True)
    invocation.client.accounts.change_password(current, new)
    invocation.answer({"changed": True}, "Password changed; other devices have to sign in again.")


@click.command("reset-password", cls=Command)
@password_stdin
@pass_invocation
def reset_password(invocation: Invocation, password_stdin: bool) -> None:
    """Set a new password with an operator's one-time link (standard input: the link, then the password)."""
    code = password(password_stdin, "Link or code").rpartition("#")[2]
    invocation.client.auth.reset_password(code, password(password_stdin, "New password", repeat=True))
    invocation.answer({"changed": True}, "Password set; every device has to sign in again: ninety8 sign-in.")


@click.command("my-data", cls=Command)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write instead.")
@pass_invocation
def my_data(invocation: Invocation, output: Path | None) -> None:
    """Print everything that is kept about this account, as JSON."""
    document = json.dumps(invocation.client.accounts.export(), indent=2)
    if output is None:
        click.echo(document)
        return
    with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(document + "\n")
    invocation.answer({"written": str(output)}, f"Written to {output}.")


@click.command("delete-account", cls=Command)
@password_stdin
@pass_invocation
def delete_account(invocation: Invocation, password_stdin: bool) -> None:
    """Delete the account for good; the password confirms it."""
    invocation.client.accounts.delete(password(password_stdin))
    invocation.answer({"deleted": True}, "The account is deleted.")


@click.group("plus", cls=Commands)
def plus() -> None:
    """The plan Plus."""


@plus.command("redeem")
@click.argument("code")
@pass_invocation
def redeem(invocation: Invocation, code: str) -> None:
    """Redeem a one-time code."""
    answer = invocation.client.accounts.redeem(code)
    # The plan travels in the token, so the one at hand is out of date.
    invocation.client.auth.refresh()
    invocation.answer(answer, f"Your plan is {printable(str(answer['plan']))}.")
