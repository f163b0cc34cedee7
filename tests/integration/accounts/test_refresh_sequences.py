"""Whatever order refresh tokens are used in: the service against a model of what the contract says."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.integration.accounts.world import World, refresh

GRACE_S = 60

# Which of the tokens handed out so far is used, counted from the newest, and how long after the step before.
steps = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([0, 1, 30, 59, 60, 61, 600])), min_size=1, max_size=12
)


class Model:
    """Tokens by the generation they belong to."""

    def __init__(self) -> None:
        self.generation = 0
        self.now_s = 0
        self.rotated_s = 0
        self.is_alive = True

    def use(self, generation: int) -> int | None:
        """The generation of the token that is answered; None for a refusal."""
        if not self.is_alive:
            return None
        if generation == self.generation:
            self.generation += 1
            self.rotated_s = self.now_s
        elif generation < self.generation - 1 or self.now_s - self.rotated_s > GRACE_S:
            self.is_alive = False
            return None
        return self.generation


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_any_sequence_is_answered_as_the_contract_says(world: World, sequence: list[tuple[int, int]]) -> None:
    world.forgive()
    person, model = world.sign_up(), Model()
    handed_out = [(person.refresh, 0)]
    for back, pause_s in sequence:
        world.clock.turn(seconds=pause_s)
        model.now_s += pause_s
        token, generation = handed_out[-1 - min(back, len(handed_out) - 1)]
        answer = refresh(world, token)
        expected = model.use(generation)
        assert answer.status_code == (401 if expected is None else 200)
        if expected is not None:
            person.take(answer.json)
            handed_out.append((person.refresh, expected))
    # The newest access token lives as long as its sign-in; none is older than the last step's pause here.
    assert person.call("GET", "/v1/me").status_code == (200 if model.is_alive else 401)
