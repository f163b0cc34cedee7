"""The Celery app of a service, with the settings that lose nothing and run nothing for ever."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from celery import Celery

from shared.bus.process import serve_metrics

VISIBILITY_S = 600
HARD_LIMIT_S = 300
SOFT_LIMIT_S = 240
# How long a task waits that lost its worker; Celery would let it wait for three minutes.
RETRY_DELAY_S = 2


def make_celery(name: str, broker_url: str, queues: Sequence[str], schedule: dict[str, Any]) -> Celery:
    """A Celery app on Redis whose tasks take JSON, are acknowledged late and retried when a worker dies.

    A worker works on all `queues`; a task that names none goes to the first. `schedule` is Celery's beat
    schedule. A time limit below the visibility timeout keeps a task from running twice at once; a task must
    be idempotent all the same.
    """
    app = Celery(name, broker=broker_url, set_as_current=False)
    app.Task.default_retry_delay = RETRY_DELAY_S
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_queues={queue: {"exchange": queue, "routing_key": queue} for queue in queues},
        task_default_queue=queues[0],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_retry_on_worker_lost=True,
        task_time_limit=HARD_LIMIT_S,
        task_soft_time_limit=SOFT_LIMIT_S,
        worker_prefetch_multiplier=1,
        worker_soft_shutdown_timeout=5,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_S,
            "socket_timeout": 15,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
            "health_check_interval": 10,
        },
        beat_schedule=schedule,
        beat_max_loop_interval=5,
        timezone="UTC",
    )
    return app


def every(task: str, interval: timedelta) -> dict[str, Any]:
    """A beat entry that starts `task` every `interval`; a start missed by more than that is left out."""
    return {"task": task, "schedule": interval, "options": {"expires": interval.total_seconds()}}


def run_worker(app: Celery, concurrency: int, metrics_port: int | None) -> None:
    """Work on the app's queue until SIGTERM, in `concurrency` child processes."""
    serve_metrics(metrics_port)
    flags = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.worker_main(
        ["worker", "--loglevel=WARNING", "--pool=prefork", f"--concurrency={concurrency}", *flags]
    )


def run_beat(app: Celery, metrics_port: int | None) -> None:
    """Start what is due until SIGTERM. Run one beat only; nothing is kept on disk."""
    serve_metrics(metrics_port)
    app.Beat(scheduler="celery.beat:Scheduler", loglevel="WARNING").run()
