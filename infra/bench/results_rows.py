"""Finished games made by the database itself, for the measurement of results: a ledger, and games to count.

The ledger has no games behind it; figures are drawn by a fixed rule, so that every run asks the same.
"""

import psycopg

ROWS_AT_ONCE = 100_000
MOST_ROWS = 5_000_000  # ids of games to be counted come after them
ANYONE = "00000000-0000-0000-0000-000000000000"
YEARS, SAVED_PLAYERS = 3, 8
SECONDS = YEARS * 365 * 86_400

# What the n-th game came to; hashtext spreads n evenly and always the same way. Ids follow time, as ours do.
_DRAWN = """
    SELECT n, 1 + abs(hashtext('p' || n)) %% 5 AS players, abs(hashtext('d' || n)) %% 3 = 0 AS is_expert,
        abs(hashtext('r' || n)) %% 4 = 0 AS reduced_hand,
        CASE WHEN abs(hashtext('w' || n)) %% 20 = 0 THEN 0
            ELSE 1 + (abs(hashtext('a' || n)) %% 25 + abs(hashtext('b' || n)) %% 25) END AS remaining,
        timestamptz '2023-01-01' + n * %(apart_s)s * interval '1 second' AS confirmed_at,
        CAST(lpad(to_hex(n), 12, '0') || substr(md5('game' || n), 13) AS uuid) AS id
    FROM generate_series(%(first)s::int, %(last)s::int) AS n
"""
_TURNS = "34"
_PLAYS = f"ARRAY(SELECT 2 + (d.n + k) %% 3 FROM generate_series(1, {_TURNS}) AS k)"
_LEDGER = f"""
    INSERT INTO results (account_id, game_id, counts_for_all, version, confirmed_at, day, duration_s,
        pauses_s, player_ids, players, difficulty, reduced_hand, first_seat, outcome, remaining, rating,
        turns, plays, plays_per_turn, back_tens, back_tens_by_pile, largest_jump, control, deck, hands,
        blocked_by, rules_version)
    SELECT %(account)s::uuid, id, true, 170, confirmed_at, confirmed_at::date,
        900 + n %% 1800, 0,
        ARRAY(SELECT md5('player' || (d.n + k) %% {SAVED_PLAYERS})::uuid FROM generate_series(1, players) k),
        players, CASE WHEN is_expert THEN 'expert' ELSE 'normal' END, reduced_hand, 0,
        CASE remaining WHEN 0 THEN 'win' ELSE 'loss' END, remaining,
        CASE WHEN remaining = 0 THEN 'perfect' WHEN remaining < 10 THEN 'excellent' ELSE 'counted' END,
        {_TURNS}, 98 - remaining, {_PLAYS}, n %% 6,
        json_build_object('up1', n %% 6, 'up2', 0, 'down1', 0, 'down2', 0), 12 + n %% 30, 'full', 0,
        array_fill(remaining / players, ARRAY[players]), 0, '1'
    FROM ({_DRAWN}) d
"""
_SEATS = """
    INSERT INTO seats (game_id, seat, saved_id, player_id, name)
    SELECT r.game_id, place.seat - 1, place.id, place.id, 'Player ' || left(place.id::text, 4)
    FROM results r, unnest(r.player_ids) WITH ORDINALITY AS place (id, seat)
"""
_CELLS = f"""
    INSERT INTO result_cells (account_id, player_id, period, starts, players, difficulty, reduced_hand,
        games, counts, turns, back_tens, duration_s)
    SELECT whose.account_id, whose.player_id, period.name, period.starts, players, difficulty, reduced_hand,
        count(*), sum(('1e' || 8 * remaining)::numeric), sum(turns), sum(back_tens), sum(duration_s)
    FROM results r, LATERAL (
        VALUES ('all', date '0001-01-01'), ('month', date_trunc('month', r.day)::date), ('day', r.day)
    ) AS period (name, starts), LATERAL (
        SELECT r.account_id, unnest(r.player_ids) UNION ALL
        VALUES (r.account_id, '{ANYONE}'::uuid), ('{ANYONE}'::uuid, '{ANYONE}'::uuid)
    ) AS whose (account_id, player_id)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
"""
_SUMMARY = """
    json_build_object('players', players, 'difficulty', CASE WHEN is_expert THEN 'expert' ELSE 'normal' END,
        'reduced_hand', reduced_hand, 'first_seat', 0,
        'outcome', CASE remaining WHEN 0 THEN 'win' ELSE 'loss' END, 'remaining', remaining,
        'rating', 'counted', 'turns', 34, 'plays_per_turn', array_fill(2, ARRAY[34]),
        'back_tens', json_build_object('up1', 1, 'up2', 0, 'down1', 2, 'down2', 0), 'largest_jump', 20,
        'control', 'full', 'deck', 0, 'hands', array_fill(1, ARRAY[players]), 'blocked_by', 0,
        'rules_version', '1')
"""
_GAMES = f"""
    INSERT INTO games (id, account_id, request, ruleset, rules_version, options, version, state, table_doc,
        status, result, created_at, updated_at, summary)
    SELECT d.id, md5('account' || n %% 200)::uuid, '{{}}', 'the-game', '1', '{{}}',
        %(entries)s, '[]', '{{}}', 'finished',
        json_build_object('outcome', 'loss', 'remaining', remaining, 'rating', 'counted',
            'confirmed_at', confirmed_at),
        confirmed_at, confirmed_at, {_SUMMARY}
    FROM ({_DRAWN}) d
"""
_GAME_SEATS = f"""
    INSERT INTO seats (game_id, seat, saved_id, player_id, name)
    SELECT d.id, seat, s.id, s.id, 'Player'
    FROM ({_DRAWN}) d, LATERAL (
        SELECT seat, md5('saved' || d.n %% 200 || seat)::uuid AS id FROM generate_series(0, players - 1) seat
    ) s
"""
_GAME_ENTRIES = f"""
    INSERT INTO entries (game_id, seq, action_id, action, account_id, recorded_at, rules_version,
        instructions, warnings)
    SELECT d.id, seq, md5(n || '-' || seq)::uuid, '{{"type": "draw"}}',
        md5('account' || n %% 200)::uuid, confirmed_at - (%(entries)s - seq) * interval '10 seconds', '1',
        '[]', '[]'
    FROM ({_DRAWN}) d, generate_series(1, %(entries)s) seq
"""
_NOTES = f"INSERT INTO results_due (game_id) SELECT d.id FROM ({_DRAWN}) d ORDER BY n"


def fill_ledger(administrator_url: str, account_id: str, rows: int) -> None:
    """So many results of one account, with the names at their tables and the sums that belong to them."""
    with psycopg.connect(administrator_url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # there are no games for the seats
        connection.execute("SET work_mem = '256MB'")
        for first in range(1, rows + 1, ROWS_AT_ONCE):
            last = min(rows, first + ROWS_AT_ONCE - 1)
            values = {"account": account_id, "first": first, "last": last, "apart_s": SECONDS / rows}
            connection.execute(_LEDGER, values)
        connection.execute(_SEATS)
        connection.execute(_CELLS)
        for table in ("results", "seats", "result_cells"):
            connection.execute(f"VACUUM ANALYZE {table}".encode())
        connection.execute("CHECKPOINT")  # or it would be written while something else is measured


def finish_games(administrator_url: str, games: int, entries: int) -> None:
    """So many games of 200 accounts, with `entries` in the log of each, all of them due at once."""
    values = {"first": MOST_ROWS + 1, "last": MOST_ROWS + games, "apart_s": 10, "entries": entries}
    with psycopg.connect(administrator_url) as connection:
        for statement in (_GAMES, _GAME_SEATS, _GAME_ENTRIES, _NOTES):
            connection.execute(statement, values)


def due(administrator_url: str) -> int:
    """How many games are still to be counted."""
    with psycopg.connect(administrator_url) as connection:
        row = connection.execute("SELECT count(*) FROM results_due").fetchone()
    assert row is not None
    return int(row[0])
