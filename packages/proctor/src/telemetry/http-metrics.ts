// What operators ask about HTTP: how many requests, on which route, with which outcome, how long.
import type { Counter, MetricsRegistry } from "./metrics.ts";

/** Counts one route's requests. Made once per route, so that a request costs one map lookup. */
export type ObserveRequest = (status: number, seconds: number) => void;

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `route` is the pattern (`/runs/{id}`), never a path that a client made up. */
export function httpMetrics(registry: MetricsRegistry): (method: string, route: string) => ObserveRequest {
  const requests = registry.counter("proctor_http_requests_total", "Requests answered, by route and status.");
  const seconds = registry.histogram(
    "proctor_http_request_seconds",
    "Seconds until the response was ready to be sent (for a stream: until it began).",
    BUCKETS,
  );
  return (method, route) => {
    const duration = seconds.with({ method, route });
    const byStatus = new Map<number, Counter>();
    return (status, elapsed) => {
      let counter = byStatus.get(status);
      if (counter === undefined) {
        counter = requests.with({ method, route, status: String(status) });
        byStatus.set(status, counter);
      }
      counter.inc();
      duration.observe(elapsed);
    };
  };
}
