"""The plans and when one changes."""

from typing import Literal

Plan = Literal["free", "plus"]
Source = Literal["operator", "code"]
FREE: Plan = "free"
PLUS: Plan = "plus"
