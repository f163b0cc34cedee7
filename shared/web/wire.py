"""What one HTTP request may look like, the same at the edge and behind it."""

import re

BODY_LIMIT = 262_144
REQUEST_ID = re.compile(r"[0-9A-Za-z-]{8,64}")
TRACEPARENT = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
