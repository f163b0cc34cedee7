"""What an account may be besides: hardly any is."""

from typing import Literal

Role = Literal["operator"]
OPERATOR: Role = "operator"
