"""The kinds of command: every one takes the global options, and every failure has its exit code."""

from collections.abc import Callable
from typing import Any

import click

from gateway.client.cli.invocation import Invocation
from gateway.client.home import HomeUnusable
from gateway.client.problems import ApiProblem, Lost, NoGateway, UnexpectedAnswer
from gateway.client.transport import LONGEST_DEVICE_NAME, checked_device, is_address

REFUSED = 1
UNREACHABLE = 3
ON_THE_TABLE = ("play", "draw", "end", "block", "confirm", "undo", "redo")
OFFLINE = (
    "No network at the table? `ninety8 offline play`, draw, end … record on this machine,"
    " `ninety8 sync` brings it in later."
)
LANGUAGES = ("en", "es", "it", "pt", "fr", "de", "sl")

pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


def _noted(note: Callable[[Invocation, Any], None]) -> Callable[[click.Context, click.Parameter, Any], None]:
    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value:
            note(context.ensure_object(Invocation), value)

    return callback


def _url(invocation: Invocation, value: str) -> None:
    if not is_address(value):
        raise click.BadParameter("give the gateway's address as http://HOST:PORT")
    invocation.url = value.rstrip("/")
    invocation.has_url = True


def _device(invocation: Invocation, value: str) -> None:
    try:
        invocation.device = checked_device(value)
    except ValueError as error:
        raise click.BadParameter(f"1 to {LONGEST_DEVICE_NAME} printable characters") from error


def _as_json(invocation: Invocation, value: bool) -> None:
    invocation.as_json = value


def _language(invocation: Invocation, value: str) -> None:
    invocation.language = value


def global_options(*, from_environment: bool = False) -> list[click.Parameter]:
    """Options that stand before or after the command's name; the later one counts."""
    return [
        click.Option(
            ["--url"],
            metavar="URL",
            envvar="NINETY8_URL" if from_environment else None,
            expose_value=False,
            callback=_noted(_url),
            help="Address of the gateway (or NINETY8_URL; default http://127.0.0.1:8098).",
        ),
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            callback=_noted(_as_json),
            help="Print the API's documents instead of text.",
        ),
        click.Option(
            ["--lang"],
            type=click.Choice(LANGUAGES),
            envvar="NINETY8_LANG" if from_environment else None,
            expose_value=False,
            callback=_noted(_language),
            help="Language of what the gateway says (or NINETY8_LANG).",
        ),
        click.Option(
            ["--device"],
            metavar="NAME",
            envvar="NINETY8_DEVICE" if from_environment else None,
            expose_value=False,
            callback=_noted(_device),
            help="What others see this machine called in a game (or NINETY8_DEVICE).",
        ),
    ]


class Command(click.Command):
    """A command with the global options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(global_options())


class Commands(click.Group):
    """A group whose commands take the global options."""

    command_class = Command
    group_class = type


class Program(Commands):
    """The whole program: turns what can go wrong with a call into words and exit codes.

    0 done · 1 refused · 2 not understood · 3 no gateway, or no sensible answer from it.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(global_options(from_environment=True))

    def invoke(self, ctx: click.Context) -> Any:
        invocation = ctx.ensure_object(Invocation)
        try:
            return super().invoke(ctx)
        except ApiProblem as problem:
            invocation.refuse(problem)
            ctx.exit(REFUSED)
        except HomeUnusable as error:
            raise click.ClickException(str(error)) from error
        except (NoGateway, Lost, UnexpectedAnswer) as failure:
            lines = unreachable(failure)
            if ctx.invoked_subcommand in ON_THE_TABLE and not isinstance(failure, UnexpectedAnswer):
                lines.append(OFFLINE)
            for line in lines:
                click.echo(line, err=True)
            ctx.exit(UNREACHABLE)


def unreachable(failure: NoGateway | Lost | UnexpectedAnswer) -> list[str]:
    """What to tell when no usable answer came."""
    if isinstance(failure, NoGateway):
        return [
            f"No gateway at {failure.url}: {failure.reason}.",
            "Start one with `make run`, or name another with --url.",
        ]
    if isinstance(failure, Lost):
        return [
            f"No answer from {failure.url}: {failure.reason}.",
            "It may have been carried out: look (`ninety8 show`) before trying again.",
        ]
    return [
        f"{failure.url} does not answer like a gateway ({failure.status}: {failure.reason}).",
        "Check the address given with --url or NINETY8_URL.",
    ]
