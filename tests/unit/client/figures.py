"""Builders of the documents about finished games."""

from typing import Any

QUANTILES = ("q05", "q25", "q50", "q75", "q95")


def group(remaining: tuple[int, ...] = (0, 4, 12, 30), **changes: Any) -> dict[str, Any]:
    """The figures of games with so many cards left, as wide as the API tells them."""
    games = len(remaining)
    ordered = sorted(remaining)
    wins, excellent = remaining.count(0), sum(left < 10 for left in remaining)
    return {
        "games": games,
        "wins": wins,
        "win_rate": wins / games if games else None,
        "win_rate_interval": [0.05, 0.7] if games else None,
        "excellent": excellent,
        "excellent_rate": excellent / games if games else None,
        "excellent_rate_interval": [0.15, 0.85] if games else None,
        "mean_remaining": sum(remaining) / games if games else None,
        "mean_remaining_interval": [2.0, 21.0] if games > 1 else None,
        "quantiles": dict.fromkeys(
            ("q05", "q25", "q50", "q75", "q95"), ordered[games // 2] if games else None
        ),
        "histogram": [remaining.count(left) for left in range(99)],
        "mean_turns": 31.5 if games else None,
        "back_tens": 2.25 if games else None,
        "mean_duration_s": 1500.0 if games else None,
        **changes,
    }


def row(players: int = 2, difficulty: str = "normal", reduced_hand: bool = False, **changes: Any) -> Any:
    """A row of the yardstick."""
    return {
        "strategy": "least_step",
        "players": players,
        "difficulty": difficulty,
        "reduced_hand": reduced_hand,
        "games": 20_000,
        "win_rate": 0.05,
        "win_rate_se": 0.001,
        "excellent_rate": 0.45,
        "excellent_rate_se": 0.003,
        "mean_remaining": 13.5,
        "mean_remaining_se": 0.06,
        "histogram": [0] * 99,
        **changes,
    }


def yardstick(*rows: Any) -> dict[str, Any]:
    about = [{"id": "least_step", "about": "Always the least step."}]
    return {"items": list(rows), "strategies": about, "rules_version": "1", "command": "make yardstick"}
