"""What a way to a refusal is."""

from collections.abc import Callable

from tests.support.api import Reply
from tests.support.system import System

# Brings the refusal about, through the gateway.
Way = Callable[[System], Reply]
