"""What became of an action, as it is told to whoever sent it."""

from typing import Any

from services.sessions.domain.log import Entry

ACCEPTED, DUPLICATE, REJECTED = "accepted", "duplicate", "rejected"


def of_entry(entry: Entry, verdict: str) -> dict[str, Any]:
    """The outcome of an action that is in the log."""
    return {
        "action_id": entry.action["id"],
        "verdict": verdict,
        "seq": entry.seq,
        "instructions": entry.instructions,
        "warnings": entry.warnings,
    }


def of_refusal(action_id: str, code: str, errors: Any = None) -> dict[str, Any]:
    """The outcome of an action that changed nothing; `errors` say more about some refusals."""
    more = {"errors": errors} if errors else {}
    return {
        "action_id": action_id,
        "verdict": REJECTED,
        "code": code,
        **more,
        "instructions": [],
        "warnings": [],
    }


def of_judged(action_id: str, judged: dict[str, Any], accepted: str = ACCEPTED) -> dict[str, Any]:
    """The outcome of an action that is not in the log, as rules `judged` it: `accepted`, or refused."""
    if judged["verdict"] == REJECTED:
        return of_refusal(action_id, judged["code"], judged.get("errors"))
    told = {key: judged[key] for key in ("instructions", "warnings")}
    return {"action_id": action_id, "verdict": accepted, **told}
