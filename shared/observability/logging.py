"""Structured logs on standard error: JSON lines, or coloured text for a person at a terminal."""

import logging
import sys

import structlog

from shared.settings import environment


def configure(service: str, part: str) -> None:
    """Set up structlog and the standard library's logging for this process."""
    values = environment()
    level = logging.getLevelNamesMapping().get(values.get("LOG_LEVEL", "info").upper(), logging.INFO)
    renderer: structlog.typing.Processor = (
        # the plain formatter: the rich one prints local variables, secrets among them
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if values.get("LOG_FORMAT", "json") == "console"
        else structlog.processors.JSONRenderer()
    )

    def name(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        return {"service": service, "part": part} | dict(event)

    shared: list[structlog.typing.Processor] = [
        name,
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                renderer,
            ],
            foreign_pre_chain=shared,
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.WARNING))
