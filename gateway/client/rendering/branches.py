"""What was recorded offline, told to people: what waits, and what became of it when it was sent."""

from collections.abc import Mapping, Sequence

from gateway.client.contract import Action, Outcome
from gateway.client.offline import Recorded
from gateway.client.rendering.moments import local
from gateway.client.rendering.sentences import action, warning
from gateway.client.rendering.text import printable

_BECAME = {"accepted": "in the game", "duplicate": "was there already"}


def waiting(recorded: Recorded) -> list[str]:
    """The entries recorded offline by what is known of them."""
    if not recorded.actions:
        return ["Nothing is recorded offline.", *torn(recorded)]
    unsent = {it.get("id") for it in recorded.unsent}
    sent = [it for it in recorded.actions if it.get("id") not in unsent]
    lines: list[str] = []
    if sent:
        lines += ["Sent already:", *numbered(sent, 1)]
    if recorded.conflict_id:
        lines.append(f"It waits for a decision: ninety8 conflict {recorded.conflict_id}")
    if recorded.unsent:
        lines += ["Recorded here, not sent and not checked yet:", *numbered(recorded.unsent, len(sent) + 1)]
        lines.append("`ninety8 sync` sends them.")
    return lines + torn(recorded)


def numbered(actions: Sequence[Action], first: int) -> list[str]:
    """A line an entry, with the time it was recorded."""
    return [f"{number:>4}  {action(it)}{_time(it)}" for number, it in enumerate(actions, first)]


def torn(recorded: Recorded) -> list[str]:
    """What to say of lines that a crash cut off; they were never confirmed to anybody."""
    if not recorded.torn:
        return []
    return ["An entry was cut off while it was being recorded: look whether one is missing, and record it."]


def became(
    actions: Sequence[Action], outcomes: Sequence[Outcome], reasons: Mapping[str, str], accepted: str
) -> list[str]:
    """A line for what became of each entry, and why where refused; `accepted` says what the others are."""
    lines: list[str] = []
    refused = {it.get("action_id") for it in outcomes if it["verdict"] == "rejected"}
    for number, (sent, outcome) in enumerate(zip(actions, outcomes, strict=False), 1):
        verdict, code = outcome["verdict"], printable(str(outcome.get("code", "")))
        what = accepted if verdict == "accepted" else _BECAME.get(verdict, f"refused ({code})")
        lines.append(f"{number:>4}  {action(sent)}: {what}")
        if verdict == "rejected" and sent.get("target") in refused:
            lines.append("        What it was about had been refused too, so nothing is amiss.")
        elif verdict == "rejected" and code in reasons:
            lines.append(f"        {printable(reasons[code])}")
        lines += [f"        {warning(it)}" for it in outcome["warnings"]]
    return lines


def _time(item: Action) -> str:
    at = item.get("at")
    return f"  ({local(at)[-5:]})" if at else ""
