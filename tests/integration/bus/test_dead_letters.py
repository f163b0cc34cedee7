"""Dead letters from the command line: a person sees them, replays them for their group, or drops them."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection

from infra.host.valkey import ValkeyServer
from shared.bus.commands import bus
from shared.bus.consumer import Consumer
from shared.bus.events import Event
from tests.integration.bus.world import GROUP, STREAM, World, all_published, running, take_effect
from tests.support.waiting import until

Command = Callable[..., Result]


@pytest.fixture
def command(empty_valkey: ValkeyServer) -> Command:
    """`command("list")` as an operator runs it."""

    def run(*arguments: str) -> Result:
        environment = {"OPERATOR_REDIS_URL": empty_valkey.url("operator")}
        return CliRunner().invoke(bus, ["dead-letters", *arguments], env=environment)

    return run


def consumer(world: World, handler: Callable[[Connection, Event], None], group: str = GROUP) -> Consumer:
    handlers = {"test.happened": handler}
    return Consumer(world.engine, world.url, STREAM, group, handlers, max_deliveries=1)


def fail(_: Connection, __: Event) -> None:
    raise RuntimeError("out of order")


@pytest.fixture
def two_letters(world: World) -> list[str]:
    """The ids of two dead letters, about the events 1 and 2; another group has had both."""

    def pass_over(_: Connection, __: Event) -> None:
        pass

    parts = (consumer(world, fail), consumer(world, pass_over, "other"))
    with running(world.relay(groups=(GROUP, "other")).run, *(part.run for part in parts)):
        world.say(1, 2)
        all_published(world)
        until(lambda: world.dead() == 2 and world.pending() == 0 and world.pending("other") == 0)
    return [entry_id.decode() for entry_id, _ in world.redis.xrange(f"dead.{STREAM}.{GROUP}")]


def test_letters_are_listed_with_what_they_are_and_why(two_letters: list[str], command: Command) -> None:
    result = command("list")
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert f"{STREAM} {GROUP}" in first
    assert two_letters[0] in first
    assert "test.happened" in first
    assert "RuntimeError: out of order" in first
    assert two_letters[1] in second
    assert command("list", "accounts.events").stdout == ""


def test_a_replayed_letter_is_handled_by_its_group_and_by_no_other(
    world: World, two_letters: list[str], command: Command
) -> None:
    seen_elsewhere: list[Event] = []
    others = consumer(world, lambda _, event: seen_elsewhere.append(event), "other")
    world.rows("SELECT 1")
    with world.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM inbox")  # nothing may depend on what others remember
    with running(consumer(world, take_effect).run, others.run):
        result = command("replay", STREAM, "--group", GROUP, two_letters[1])
        assert (result.exit_code, result.stdout) == (0, "1 replayed\n")
        until(lambda: world.effects() == [2])
        until(lambda: world.pending("other") == 0 and world.redis.xinfo_groups(STREAM)[1]["lag"] == 0)
    assert seen_elsewhere == []
    assert world.dead() == 1


def test_all_letters_are_replayed_in_their_order(
    world: World, two_letters: list[str], command: Command
) -> None:
    with running(consumer(world, take_effect).run):
        assert command("replay", STREAM, "--all").stdout == "2 replayed\n"
        until(lambda: world.effects() == [1, 2])
    assert world.dead() == 0


def test_a_replayed_letter_that_fails_again_is_a_letter_again(
    world: World, two_letters: list[str], command: Command
) -> None:
    with running(consumer(world, fail).run):
        command("replay", STREAM, two_letters[0])
        until(lambda: world.dead() == 2 and world.pending() == 0)
    assert "out of order" in command("list").stdout


def test_the_relay_is_not_disturbed_by_replayed_letters(
    world: World, two_letters: list[str], command: Command
) -> None:
    with running(world.relay(groups=(GROUP, "other")).run, consumer(world, take_effect).run):
        command("replay", STREAM, "--all")
        world.say(3)
        until(lambda: sorted(world.effects()) == [1, 2, 3])
        world.redis.flushall()
        world.say(4)
        until(lambda: sorted(world.effects()) == [1, 2, 3, 4])


def test_dropped_letters_are_gone(world: World, two_letters: list[str], command: Command) -> None:
    assert command("drop", STREAM, two_letters[0]).stdout == "1 dropped\n"
    assert world.dead() == 1
    assert command("drop", STREAM, "--all").stdout == "1 dropped\n"
    assert world.dead() == 0


@pytest.mark.parametrize("verb", ["replay", "drop"])
def test_what_is_meant_must_be_said(
    verb: str, two_letters: list[str], command: Command, world: World
) -> None:
    assert command(verb, STREAM).exit_code == 2
    assert command(verb, STREAM, "--all", two_letters[0]).exit_code == 2
    assert command(verb, "no.such.stream", "--all").exit_code == 1
    assert command(verb, STREAM, "--group", "nobody", "--all").exit_code == 1
    unknown = command(verb, STREAM, "1-1")
    assert unknown.exit_code == 1
    assert "no dead letter" in unknown.output
    assert world.dead() == 2


def test_without_an_address_the_command_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.delenv("OPERATOR_REDIS_URL", raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    result = CliRunner().invoke(bus, ["dead-letters", "list"])
    assert result.exit_code == 1
    assert "OPERATOR_REDIS_URL" in result.output
