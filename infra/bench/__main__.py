"""`python -m infra.bench`: everything that is measured, one after the other; or one of it by name."""

import click

from infra.bench import plays, simulate


@click.group(invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """Measure what a play costs and hold the rules against published figures."""
    if context.invoked_subcommand is None:
        context.invoke(plays.main)
        context.invoke(simulate.main)


main.add_command(plays.main, "plays")
main.add_command(simulate.main, "simulate")

if __name__ == "__main__":
    main()
