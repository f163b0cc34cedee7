"""How properties are tried on a whole running system: few examples, the same every time, none too slow."""

from hypothesis import HealthCheck, settings


def thorough(max_examples: int) -> settings:
    """Settings for so many examples."""
    return settings(
        max_examples=max_examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
