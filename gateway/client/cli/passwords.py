"""Passwords come from a hidden prompt or from standard input, never from the command's words."""

import sys

import click

password_stdin = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input, one line each."
)


def password(piped: bool, prompt: str = "Password", *, repeat: bool = False) -> str:
    """One password; `repeat` asks a person twice."""
    if not piped:
        return click.prompt(prompt, hide_input=True, confirmation_prompt=repeat, err=True)
    line = sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise click.UsageError(f"{prompt}: standard input has no such line.")
    return line
