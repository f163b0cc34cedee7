"""Owns the names under which the bus counts and measures itself for Prometheus."""

from prometheus_client import Counter, Gauge, Histogram

REQUEST_SECONDS = Histogram(
    "ninety8_bus_request_seconds",
    "Seconds from asking another service to its answer or to giving up, by request stream and outcome",
    ["stream", "outcome"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
REQUESTS_SERVED = Counter(
    "ninety8_bus_requests_served_total",
    "Requests taken from a request stream, by outcome: answered, failed, expired, malformed",
    ["stream", "outcome"],
)
PUBLISHED = Counter("ninety8_bus_published_total", "Events the relay has put on a stream", ["stream"])
CONSUMED = Counter(
    "ninety8_bus_consumed_total",
    "Events a group has read, by outcome: handled, duplicate, ignored, failed, later, buried, gone",
    ["stream", "group", "outcome"],
)
LEADING = Gauge(
    "ninety8_bus_relay_leading",
    "1 where this relay is the one that publishes",
    ["stream"],
    multiprocess_mode="livemax",
)
OUTBOX_SIZE = Gauge(
    "ninety8_bus_outbox_unpublished",
    "Events in the outbox that are not on the stream yet",
    ["stream"],
    multiprocess_mode="livemostrecent",
)
OUTBOX_AGE_SECONDS = Gauge(
    "ninety8_bus_outbox_age_seconds",
    "Age of the oldest event that is not on the stream yet",
    ["stream"],
    multiprocess_mode="livemostrecent",
)
LAG = Gauge(
    "ninety8_bus_lag",
    "Events on the stream that the group has not been given",
    ["stream", "group"],
    multiprocess_mode="livemostrecent",
)
PENDING = Gauge(
    "ninety8_bus_pending",
    "Events the group was given and has not confirmed",
    ["stream", "group"],
    multiprocess_mode="livemostrecent",
)
PENDING_AGE_SECONDS = Gauge(
    "ninety8_bus_pending_age_seconds",
    "Age of the oldest event the group has not confirmed",
    ["stream", "group"],
    multiprocess_mode="livemostrecent",
)
DEAD_LETTERS = Gauge(
    "ninety8_bus_dead_letters",
    "Messages that a group could not handle and a person has to see to",
    ["stream", "group"],
    multiprocess_mode="livemostrecent",
)
LOST_STREAMS = Counter(
    "ninety8_bus_lost_streams_total", "Times a relay found its stream lost and published again", ["stream"]
)
