"""The command that tells how a group is getting on."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, cast, get_args

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.which import which, which_options
from gateway.client.comparing import OPTIONS, STRATEGY, expected, keys
from gateway.client.figures import Group, Grouping
from gateway.client.problems import ApiProblem
from gateway.client.rendering.stats import EXPLAINED, histogram_view, stats_view

GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)


class Groupings(click.ParamType[Any]):
    """Some of the groupings, separated by commas."""

    name = "groupings"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        wanted = [name.strip().replace("-", "_") for name in str(value).split(",")]
        if unknown := [name for name in wanted if name not in GROUPINGS]:
            self.fail(f"{unknown[0]} is none of {', '.join(GROUPINGS)}.", param, ctx)
        return list(dict.fromkeys(wanted))


@click.command("stats", cls=Command)
@click.option(
    "--by", type=Groupings(), metavar="NAME,…", default=None, help=f"Some of {', '.join(GROUPINGS)}."
)
@click.option("--all-accounts", is_flag=True, help="Of all accounts; for operators.")
@which_options
@pass_invocation
def stats(invocation: Invocation, /, by: list[Grouping] | None, all_accounts: bool, **said: Any) -> None:
    """Tell how your finished games went, beside what a simple strategy would have come to."""
    grouped = tuple(by or ())
    meant = which(invocation, said)
    reads = invocation.client.stats.read_of_all if all_accounts else invocation.client.stats.read
    answer = reads(grouped, **meant)
    # Alike in their options, games can be compared; several kinds together are weighed.
    apart = (*grouped, *(name for name in OPTIONS if name not in grouped))
    try:
        groups = answer["items"] if len(apart) == len(grouped) else reads(apart, **meant)["items"]
    except ApiProblem as problem:
        if problem.code != "validation_failed":
            raise
        groups = []  # told apart by their options too, they would be more than are answered
    compared = expected(grouped, groups, invocation.client.stats.yardstick(strategy=STRATEGY)["items"])
    invocation.answer(
        {
            **answer,
            "strategy": STRATEGY,
            "expected": [_as_document(compared.get(keys(grouped, group))) for group in answer["items"]],
        },
        *_told(grouped, answer["items"], compared),
    )


def _told(by: Sequence[Grouping], groups: Sequence[Group], compared: Any) -> list[Any]:
    if not any(group["games"] for group in groups):
        return ["No finished game yet. `ninety8 confirm` ends one; figures follow within seconds."]
    parts: list[Any] = [stats_view(by, groups, compared)]
    if compared:
        parts.append(click.style(EXPLAINED.format(strategy=STRATEGY), dim=True))
    if not by:
        parts += ["", histogram_view(groups[0]["histogram"])]
    return parts


def _as_document(one: Any) -> dict[str, float] | None:
    return None if one is None else cast("dict[str, float]", asdict(one))
