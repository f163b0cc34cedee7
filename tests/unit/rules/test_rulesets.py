"""The list of rulesets, and that its codes and actions are the ones that everybody shares."""

from services.rules.rulesets import RULESETS, unknown
from services.rules.the_game.game import RULES
from services.rules.the_game.refusals import REFUSALS
from shared.contracts.actions import FIELDS, TIMELINE
from shared.contracts.problems import CODES


def test_every_ruleset_is_listed_by_its_own_name() -> None:
    assert {name: ruleset.NAME for name, ruleset in RULESETS.items()} == {name: name for name in RULESETS}


def test_no_ruleset_is_both_covered_and_not() -> None:
    assert all(name not in RULESETS for ruleset in RULESETS.values() for name in ruleset.NOT_COVERED)


def test_a_name_is_refused_as_variant_or_as_unknown() -> None:
    assert unknown("on-fire") == "variant_not_covered"
    assert unknown("chess") == unknown(None) == "ruleset_unknown"


def test_every_type_of_action_has_a_rule_or_belongs_to_the_timeline() -> None:
    assert RULES.keys() | TIMELINE == FIELDS.keys()


def test_every_refusal_is_in_the_one_list_of_codes() -> None:
    assert {*REFUSALS, "rules_version_unknown", "variant_not_covered", "ruleset_unknown"} <= CODES.keys()
