"""The Celery application: the embedded broker by default, Redis or RabbitMQ by one setting."""

from __future__ import annotations

from typing import Any, Final

from celery import Celery
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

from workers import queue
from workers.settings import Settings

_POLL_S: Final = 0.05


def create_app(settings: Settings) -> Celery:
    """Return an application that sends and receives through the settings' broker; it has no tasks yet."""
    app = Celery("catwalk", set_as_current=False)
    app.conf.update(
        task_default_queue=queue.QUEUE,
        task_queues=[Queue(queue.QUEUE, routing_key=queue.QUEUE)],
        task_default_routing_key=queue.QUEUE,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        broker_connection_retry_on_startup=True,
        **_broker(settings),
    )
    return app


def _broker(settings: Settings) -> dict[str, Any]:
    if settings.broker_url is not None:
        held_s = int(settings.lease.total_seconds())
        redis = settings.broker_url.startswith("redis")  # the only one that must be told when to deliver again
        options = {"visibility_timeout": held_s} if redis else {}
        return {"broker_url": settings.broker_url, "broker_transport_options": options}
    folders = {name: settings.broker_dir / name for name in ("messages", "control")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    TRANSPORT_ALIASES["spool"] = "workers.spool:Transport"
    return {
        "broker_url": "spool://localhost",
        "broker_transport_options": {
            "data_folder_in": str(folders["messages"]),
            "data_folder_out": str(folders["messages"]),
            "control_folder": folders["control"],
            "polling_interval": _POLL_S,
        },
    }
