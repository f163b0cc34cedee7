"""What accounts do with the plan Plus only, beside inviting."""

from uuid import uuid4

from tests.integration.sessions.served import (
    Served,
    is_refused,
)


def test_naming_a_card_later_is_part_of_plus_for_accounts(served: Served) -> None:
    owner = served.owner("free")
    sent = {"id": str(uuid4()), "type": "identify", "target": str(uuid4()), "card": 7}
    answer = owner.call("POST", f"{owner.game}/actions", {"actions": [sent]})
    assert is_refused(answer, 403, "plus_required")
    assert owner.call("GET", owner.game).json["version"] == 0
    with_plus = served.owner("plus")
    answer = with_plus.call("POST", f"{with_plus.game}/actions", {"actions": [sent]})
    assert is_refused(answer, 422, "target_not_valueless")
