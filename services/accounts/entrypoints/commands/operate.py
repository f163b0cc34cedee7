"""What operators do with accounts; the servers of a running `make run` are found by themselves."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError

from services.accounts import bootstrap, settings
from services.accounts.application import passwords, plans, roles
from services.accounts.application.parts import Parts
from services.accounts.domain.plans import FREE, PLUS, Plan
from services.accounts.domain.roles import OPERATOR, Role

CODES_MAX = 10_000
NOT_RUNNING = "Start everything with `make run`, or set ACCOUNTS_DATABASE_URL to a database that answers."


@click.group()
def password() -> None:
    """Passwords of people who forgot theirs."""


@password.command()
@click.argument("email")
def reset(email: str) -> None:
    """Print a one-time link with which EMAIL's owner sets a new password."""
    with _operating() as (parts, config):
        code = passwords.offer_reset(parts, email)
        if code is None:
            raise _no_account(email)
        until = parts.clock() + passwords.RESET_LIFE
    click.echo(f"link: {config.public_url}/reset#{code}")
    click.echo(f"code: {code}")
    click.echo(f"works once, until {until:%Y-%m-%d %H:%M} UTC")


@click.group()
def plus() -> None:
    """The plan Plus."""


@plus.command()
@click.argument("email")
def grant(email: str) -> None:
    """Give EMAIL's account Plus."""
    _set_plan(email, PLUS)


@plus.command()
@click.argument("email")
def revoke(email: str) -> None:
    """Take Plus away from EMAIL's account; nothing of theirs is hidden or deleted."""
    _set_plan(email, FREE)


@plus.command()
@click.argument("count", type=click.IntRange(1, CODES_MAX))
def codes(count: int) -> None:
    """Print COUNT new one-time codes for Plus; they are not shown again."""
    with _operating() as (parts, _):
        made = plans.make_codes(parts, count)
    for code in made:
        click.echo(code)


@click.group()
def operator() -> None:
    """The role operator: figures over all accounts."""


@operator.command("grant")
@click.argument("email")
def grant_role(email: str) -> None:
    """Make EMAIL's account an operator, from its next access token on."""
    if _set_role(email, OPERATOR):
        click.echo(f"{email} is an operator from the next sign-in or refresh on")
    else:
        click.echo(f"{email} was an operator already")


@operator.command("revoke")
@click.argument("email")
def revoke_role(email: str) -> None:
    """Take the role away from EMAIL's account, at once; nobody is signed out."""
    if _set_role(email, None):
        click.echo(f"{email} is no operator any more")
    else:
        click.echo(f"{email} was no operator")


@click.group()
def keys() -> None:
    """The keys that sign access tokens."""


@keys.command()
def rotate() -> None:
    """Add a signing key; it is published at once and signs when verifiers know it."""
    config = settings.read()
    try:
        key = bootstrap.key_folder(config).rotate(time.time())
    except OSError as error:
        raise click.ClickException(f"{config.keys_dir} cannot be written: {error.strerror}.") from error
    click.echo(f"key {key.kid} is published and signs in {config.key_publish_first_s} s")


def _set_plan(email: str, plan: Plan) -> None:
    with _operating() as (parts, _):
        changed = plans.set_plan(parts, email, plan)
    if changed is None:
        raise _no_account(email)
    click.echo(f"{email} {'has' if changed else 'had'} the plan {plan} {'now' if changed else 'already'}")


def _set_role(email: str, role: Role | None) -> bool:
    with _operating() as (parts, _):
        changed = roles.set_role(parts, email, role)
    if changed is None:
        raise _no_account(email)
    return changed


@contextmanager
def _operating() -> Iterator[tuple[Parts, settings.Settings]]:
    """The service's parts; a database that does not answer becomes a message that says what to do."""
    config = settings.read()
    if not config.database_url:
        raise click.ClickException(f"No database is known. {NOT_RUNNING}")
    built = bootstrap.parts(config, bootstrap.key_folder(config), "operator")
    try:
        yield built, config
    except OperationalError as error:
        raise click.ClickException(f"The database does not answer. {NOT_RUNNING}") from error
    except ProgrammingError as error:
        raise click.ClickException(
            "The database is not up to date. Run `python -m services.accounts migrate`."
        ) from error
    except DBAPIError as error:
        raise click.ClickException(f"The database refused: {type(error.orig).__name__}.") from error
    finally:
        built.engine.dispose()


def _no_account(email: str) -> click.ClickException:
    return click.ClickException(f"There is no account with the e-mail {email}.")
