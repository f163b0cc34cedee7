"""Owns the names under which the live process counts and measures itself for Prometheus."""

from prometheus_client import Counter, Gauge, Histogram

LISTENERS = Gauge("ninety8_live_listeners", "Streams that are open", multiprocess_mode="livesum")
FRAMES = Counter("ninety8_live_frames_total", "Frames written to listeners, comments included")
DROPPED = Counter(
    "ninety8_live_dropped_total",
    "Streams ended from this side, by reason: a problem's code, or stalled where nobody read any more",
    ["reason"],
)
RESYNCS = Counter(
    "ninety8_live_resyncs_total", "Times everybody was made to read the log because something may be missing"
)
LAG_SECONDS = Histogram(
    "ninety8_live_lag_seconds",
    "Seconds from an entry's being recorded to its being queued for the listeners",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 5),
)
