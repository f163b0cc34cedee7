"""The matcher finds exactly the paths of the map."""

import re

from hypothesis import given
from hypothesis import strategies as st

from gateway.matching import Matcher, shape
from gateway.routes import ROUTES, Auth, Repeat

MATCHER = Matcher(ROUTES)
VALUES = st.from_regex(r"[0-9A-Za-z-]{1,64}", fullmatch=True)


@given(st.sampled_from(ROUTES), VALUES)
def test_a_path_of_the_map_leads_to_its_route_whatever_the_id(route, value) -> None:
    methods = MATCHER.find(re.sub(r"\{\w+\}", value, route.path))
    assert methods is not None
    assert methods[route.method] is route


@given(st.text(max_size=80).map(lambda text: f"/v1/{text}"))
def test_any_other_path_leads_nowhere(path: str) -> None:
    known = any(
        re.fullmatch(re.sub(r"\\\{\w+\\\}", "[0-9A-Za-z-]{1,64}", re.escape(route.path)), path)
        for route in ROUTES
    )
    assert (MATCHER.find(path) is not None) == known


@given(st.sampled_from([route for route in ROUTES if "{" in route.path]), st.text(min_size=1, max_size=3))
def test_an_id_is_made_of_letters_digits_and_hyphens(route, value) -> None:
    found = MATCHER.find(re.sub(r"\{\w+\}", lambda _: value, route.path))
    if not re.fullmatch(r"[0-9A-Za-z-]+", value):
        assert found is None or found.get(route.method) is not route


def test_head_goes_where_get_goes() -> None:
    methods = MATCHER.find("/v1/games/1")
    assert methods is not None
    assert methods["HEAD"] is methods["GET"]
    assert "HEAD" not in (MATCHER.find("/v1/games/1/actions") or {})


def test_the_names_of_parameters_do_not_matter_for_the_shape_of_a_path() -> None:
    assert shape("/v1/games/{game_id}/log") == shape("/v1/games/{id}/log") == "/v1/games/{}/log"


def test_every_route_has_a_name_and_an_address_of_its_own() -> None:
    assert len({route.name for route in ROUTES}) == len(ROUTES)
    assert len({(route.method, shape(route.path)) for route in ROUTES}) == len(ROUTES)


def test_what_stands_behind_no_sign_in_is_known_by_name() -> None:
    public = {route.name for route in ROUTES if route.auth is Auth.PUBLIC}
    assert public == {
        "sign_up",
        "sign_in",
        "refresh_tokens",
        "reset_password",
        "read_keys",
        "list_rulesets",
        "read_ruleset",
        "read_guide",
        "read_figure",
        "evaluate",
        "read_yardstick",
        "accept_invitation",
    }


def test_what_is_sent_again_after_a_broken_connection_is_known_by_name() -> None:
    repeated = {route.name for route in ROUTES if route.method != "GET" and route.repeat is not Repeat.NEVER}
    assert repeated == {
        "adopt_table",
        "apply_actions",
        "change_me",
        "change_player",
        "create_game",
        "create_player",
        "decide_conflict",
        "delete_parked",
        "evaluate",
        "refresh_tokens",
        "reopen_conflict",
        "revoke_invitation",
        "rewind_game",
        "sync_game",
    }
