"""Owns the commands for people who look after the bus."""

from collections.abc import Iterator

import click

from shared.bus.connections import Client, open_client
from shared.bus.dead_letters import DeadLetter, DeadLetters
from shared.contracts.streams import event_streams
from shared.settings import environment

URL = "OPERATOR_REDIS_URL"


@click.group()
def bus() -> None:
    """Look after the bus."""


@bus.group("dead-letters")
@click.pass_context
def dead_letters(context: click.Context) -> None:
    """Messages that a group could not handle. Redis is the one that OPERATOR_REDIS_URL names."""
    url = environment().get(URL)
    if not url:
        raise click.ClickException(f"{URL} is not set and no running host was found")
    context.obj = context.with_resource(open_client(url))


_stream = click.argument("stream", required=False)
_group = click.option("--group", help="Only the letters of this group.")
_ids = click.argument("ids", nargs=-1)
_all = click.option("--all", "everything", is_flag=True, help="All letters of the stream and group.")


@dead_letters.command("list")
@_stream
@_group
@click.pass_obj
def list_letters(redis: Client, stream: str | None, group: str | None) -> None:
    """List the letters of STREAM, or of all streams."""
    count = 0
    for where, letters in _chosen(redis, stream, group):
        for letter in letters.all():
            count += 1
            click.echo(f"{where}  {_line(letter)}")
    click.echo(f"{count} dead letter{'' if count == 1 else 's'}", err=True)


@dead_letters.command()
@click.argument("stream")
@_group
@_ids
@_all
@click.pass_obj
def replay(redis: Client, stream: str, group: str | None, ids: tuple[str, ...], everything: bool) -> None:
    """Give letters of STREAM, by IDS or --all, to their group once more."""
    count = sum(
        letters.replay(_meant(letters, ids, everything)) for _, letters in _chosen(redis, stream, group)
    )
    _report(count, "replayed", ids)


@dead_letters.command()
@click.argument("stream")
@_group
@_ids
@_all
@click.pass_obj
def drop(redis: Client, stream: str, group: str | None, ids: tuple[str, ...], everything: bool) -> None:
    """Delete letters of STREAM, by IDS or --all, for good."""
    count = sum(
        letters.drop(_meant(letters, ids, everything)) for _, letters in _chosen(redis, stream, group)
    )
    _report(count, "dropped", ids)


def _chosen(redis: Client, stream: str | None, group: str | None) -> Iterator[tuple[str, DeadLetters]]:
    known = [(it.key, name) for it in event_streams() for name in it.groups]
    chosen = [(key, name) for key, name in known if stream in (None, key) and group in (None, name)]
    if not chosen:
        raise click.ClickException(
            "no such stream and group; there are " + ", ".join(f"{key} --group {name}" for key, name in known)
        )
    for key, name in chosen:
        yield f"{key} {name}", DeadLetters(redis, key, name)


def _meant(letters: DeadLetters, ids: tuple[str, ...], everything: bool) -> list[str]:
    if everything == bool(ids):
        raise click.UsageError("name letters by their ids, or give --all")
    return [letter.id for letter in letters.all()] if everything else list(ids)


def _line(letter: DeadLetter) -> str:
    event = letter.event
    what = f"{event.type} {event.id} about {event.subject}" if event else "not an event"
    return f"{letter.id}  {what}  after {letter.deliveries} deliveries: {letter.error}"


def _report(count: int, done: str, ids: tuple[str, ...]) -> None:
    click.echo(f"{count} {done}")
    if ids and count < len(set(ids)):
        raise click.ClickException("some of these ids name no dead letter of this stream and group")
