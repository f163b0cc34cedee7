"""The program `ninety8`: all commands under one name."""

import click

from gateway.client.cli import (
    account,
    conflicts,
    corrections,
    demo,
    evaluate,
    export,
    games,
    guide,
    joining,
    look,
    offline,
    parked,
    players,
    sharing,
    stats,
    sync,
    turn,
    watch,
)
from gateway.client.cli.commands import Program


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[
        account.sign_up,
        account.sign_in,
        account.sign_out,
        account.whoami,
        account.change_password,
        account.reset_password,
        account.my_data,
        account.delete_account,
        account.plus,
        players.players,
        games.new,
        games.games,
        games.use,
        games.to_bin,
        games.restore,
        look.show,
        look.log,
        watch.watch,
        turn.play,
        turn.draw,
        turn.end,
        turn.undo,
        turn.redo,
        turn.block,
        turn.confirm,
        offline.offline,
        sync.sync,
        conflicts.conflicts,
        conflicts.conflict,
        conflicts.decide,
        conflicts.reopen,
        parked.parked,
        parked.unpark,
        corrections.identify,
        corrections.adopt,
        corrections.rewind,
        sharing.invite,
        sharing.invitations,
        sharing.revoke,
        joining.join,
        joining.leave,
        stats.stats,
        export.export,
        evaluate.evaluate,
        guide.guide,
        demo.demo,
    ],
)
@click.version_option(package_name="ninety-eight", prog_name="ninety8")
def main() -> None:
    """Ninety-Eight: the assistant at the table for the card game The Game.

    \b
    A first game:
      ninety8 sign-up you@example.org
      ninety8 new Ana Ben Cid
      ninety8 show
      ninety8 play up1 12 down1 90
      ninety8 draw
      ninety8 end
    or see one played: ninety8 demo

    \b
    The others at the table, each on a machine of their own:
      ninety8 invite                    (for you: needs Plus)
      ninety8 join CODE                 (for them: no account needed)
      ninety8 watch                     shows each entry as it is made

    \b
    The rules:
      ninety8 guide                     all of them; --lang es for another language
      ninety8 guide quick-rules         one section

    \b
    Where there is no network:
      ninety8 offline play up1 12       records on this machine, unchecked
      ninety8 sync                      brings it in once there is one

    \b
    How you are getting on:
      ninety8 stats --by players        beside what a simple strategy comes to
      ninety8 export --format csv       every finished game, for a spreadsheet

    Files are kept in NINETY8_HOME (default ~/.config/ninety-eight).
    Exit codes: 0 done, 1 refused, 2 not understood, 3 no gateway.
    """
