"""Owns the two stories that a merge starts from, and what is found about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.the_game.actions import Action
from services.rules.the_game.findings import Difference, Finding, Merged, Undecided, prove
from services.rules.the_game.game import apply, refuse
from services.rules.the_game.options import Options
from services.rules.the_game.questions import ask
from services.rules.the_game.state import State, start
from services.rules.the_game.story import shared_beginning
from services.rules.the_game.turn_by_turn import Tales, tell
from services.rules.the_game.weaving import Conflict

Story = tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """The stories up to the common moment and of both branches, each with the cards that either named.

    `recorded` and `ends` are the stories of cloud and device as they were, and the states they led to.
    """

    options: Options
    base: Story
    cloud: Story
    device: Story
    recorded: tuple[Story, Story]
    ends: tuple[State, State]

    def find(self) -> Finding:
        """What both make together, by the rules."""
        kept = [shared_beginning(self.base, told) for told in (self.cloud, self.device)]
        if kept[1] == len(self.base) == len(self.device):
            return self._alone(self.cloud)
        if kept[0] == len(self.base) == len(self.cloud):
            return self._alone(self.device)
        head = self._head()
        if kept[0] != kept[1] or len(head) < self._shared:
            return self.undecided()
        state = self._follow(start(self.options), head)[1]
        telling = tell(self.options, state, self.cloud[len(head) :], self.device[len(head) :])
        merged = self._told(head, state, telling.tales)
        if telling.is_proved:
            return merged[0]
        return self.undecided(
            telling.conflicts,
            possible=[one.state for one in merged],
            proposal=merged[0] if telling.is_one_order else None,
            agreed=(*head, *telling.agreed),
        )

    def merged(self, story: Sequence[Action], state: State) -> Merged:
        """A settled story that leads to `state`."""
        told = tuple(story)
        since = min(shared_beginning(self.base, one) for one in (self.cloud, self.device))
        return Merged(
            story=told,
            state=state,
            proof=prove(since, told, self.cloud, self.device),
            first_difference=self._difference(),
            is_clouds=_is_told_by(told, self.recorded[0]),
            is_devices=_is_told_by(told, self.recorded[1]),
        )

    def undecided(
        self,
        conflicts: Sequence[Conflict] = (),
        possible: Sequence[State] = (),
        proposal: Merged | None = None,
        agreed: Story | None = None,
    ) -> Undecided:
        """What is asked when these conflicts are open and these states are possible."""
        difference = self._difference(conflicts[0] if conflicts else None)
        disputed = [conflict.piles for conflict in conflicts]
        if not conflicts and difference is not None:
            both = (difference.cloud, difference.device)
            disputed = [tuple({step.pile for step in both if step is not None and step.type == "play"})]
        sure = self._head() if agreed is None else agreed
        return Undecided(
            questions=ask(*self.ends, possible, [piles for piles in disputed if piles]),
            proposal=proposal,
            first_difference=difference,
            agreed=sure,
            state=self._follow(start(self.options), sure)[1],
        )

    @property
    def _shared(self) -> int:
        return shared_beginning(self.cloud, self.device)

    def _head(self) -> Story:
        """What both tell alike from the start, as far as it is legal with the cards that either named."""
        return self.cloud[: self._follow(start(self.options), self.cloud[: self._shared])[0]]

    def _alone(self, told: Story) -> Finding:
        """One story, to which the other adds at most the names of cards."""
        legal, state = self._follow(start(self.options), told)
        return self.merged(told, state) if legal == len(told) else self.undecided()

    def _told(self, head: Story, state: State, tales: Tales) -> list[Merged]:
        """A story for each tale: as one branch has it where it has all, with the same end."""
        found = []
        for (_, end), actions in tales.items():
            for side in (self.cloud, self.device):
                own = side[len(head) :]
                if len(own) == len(actions) and self._follow(state, own) == (len(own), end):
                    actions = own
                    break
            found.append(self.merged((*head, *actions), end))
        return found

    def _difference(self, conflict: Conflict | None = None) -> Difference | None:
        """Where the branches part; without a conflict, the first actions that are not the same in both."""
        shared = self._shared
        if conflict is not None:
            return Difference(shared, conflict.turn, conflict.seat, conflict.cloud, conflict.device)
        pair = [told[shared] if shared < len(told) else None for told in (self.cloud, self.device)]
        if pair == [None, None]:
            return None
        state = start(self.options)
        for action in self.cloud[:shared]:
            state = apply(self.options, state, action)
        return Difference(shared, state.turn, state.seat, *pair)

    def _follow(self, state: State, actions: Sequence[Action]) -> tuple[int, State]:
        """How many of these actions are legal in a row, and the state after them."""
        for count, action in enumerate(actions):
            if refuse(self.options, state, action) is not None:
                return count, state
            state = apply(self.options, state, action)
        return len(actions), state


def _is_told_by(story: Story, recorded: Story) -> bool:
    """True when a branch has recorded just this, under whatever ids."""
    is_all = len(story) == len(recorded) == shared_beginning(story, recorded)
    return is_all and all(one.card == other.card for one, other in zip(story, recorded, strict=True))
