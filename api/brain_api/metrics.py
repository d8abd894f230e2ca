"""Prometheus metrics, in a registry of the app's own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from brain import clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brain_api.project import Projects

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class Metrics:
    """What is counted. Labels are routes, projects and statuses, never what callers write."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        kept = self.registry
        self.requests = Counter("brain_requests", "Requests answered", ("route", "status"), registry=kept)
        self.seconds = Histogram("brain_request_seconds", "Time to answer", ("route",), buckets=BUCKETS, registry=kept)
        self.at_once = Gauge("brain_requests_at_once", "Requests at work", registry=kept)
        self.deliveries = Counter("brain_deliveries", "Webhooks received", ("project", "outcome"), registry=kept)
        self.swaps = Counter("brain_snapshot_swaps", "Snapshots swapped in", ("project",), registry=kept)
        self.refreshes = Counter("brain_refreshes", "Refreshes from the remotes", ("project", "outcome"), registry=kept)
        self.finalize = Counter("brain_finalize_starts", "Finalize started", ("project", "outcome"), registry=kept)
        self.memories = Gauge("brain_memories", "Approved memories", ("project",), registry=kept)
        self.age = Gauge("brain_refresh_age_seconds", "Since the last good refresh", ("project",), registry=kept)
        self.ready = Gauge(
            "brain_project_ready", "1 fresh, 0.5 served but old, 0 not served", ("project",), registry=kept
        )
        self.pending = Gauge("brain_deliveries_pending", "Webhooks not done", ("project",), registry=kept)
        self.drafts = Gauge("brain_drafts_waiting", "Drafts that nobody took", ("project",), registry=kept)

    def render(self, projects: Projects) -> bytes:
        """Return all of it as text, the gauges of the projects as they are now."""
        for project in projects:
            snapshot, status = project.snapshot, project.status()
            self.memories.labels(project.name).set(snapshot.brain.tree.size if snapshot else 0)
            self.ready.labels(project.name).set({"ready": 1.0, "old": 0.5}.get(status, 0.0))
            self.age.labels(project.name).set(max(0.0, clock.now() - project.state.get("refreshed", 0.0)))
            self.pending.labels(project.name).set(len(project.deliveries.pending()))
            self.drafts.labels(project.name).set(project.count_waiting())
        return generate_latest(self.registry)
