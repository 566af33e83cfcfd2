// What operators and their tools expect: is it alive, is it ready, how is it doing.
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import { METRICS_CONTENT_TYPE, type MetricsRegistry } from "../../telemetry/metrics.ts";
import { errorDocument, jsonResponse } from "../../runtime/http/respond.ts";
import type { Call } from "../call.ts";
import { routesOf, type Route } from "../route.ts";

interface OperationsOptions {
  version: string;
  ready: () => Promise<void>;
  metrics: MetricsRegistry;
}

const Health = z.strictObject({ status: z.literal("ok"), version: z.string() }).meta({ id: "Health" });

export function operationsRoutes({ version, ready, metrics }: OperationsOptions): Route[] {
  const ok = { status: "ok", version };
  /** An outage of the database is no reason to start the process again, so this asks nothing of it. */
  const alive = {
    summary: "Is the process alive?",
    open: true,
    responses: { 200: { description: "It answers.", schema: Health } },
    handle: () => jsonResponse(ok),
  } as const;
  const able = {
    summary: "Can it take work?",
    open: true,
    responses: {
      200: { description: "The store can be written, and the hub is not stopping.", schema: Health },
      503: "It cannot take work now; `code` and `message` say why.",
    },
    async handle(call: Call) {
      try {
        await ready();
        return jsonResponse(ok);
      } catch (cause) {
        const error = ProctorError.is(cause)
          ? cause
          : new ProctorError("INTERNAL_ERROR", `not ready\nthe log has the reason under ${call.traceId}`);
        call.failure = { code: error.code, cause };
        return jsonResponse(errorDocument(error, 503), 503, { "retry-after": "1" });
      }
    },
  } as const;
  return routesOf({ tag: "Operations" }, [
    { id: "getHealth", at: "GET /healthz", ...alive },
    { id: "getReadiness", at: "GET /readyz", ...able },
    { id: "getLiveness", at: "GET /health/live", ...alive },
    { id: "getReady", at: "GET /health/ready", ...able },
    {
      id: "getMetrics",
      at: "GET /metrics",
      scope: "runs:read",
      unbound: true,
      summary: "Metrics for Prometheus",
      responses: { 200: { description: "Prometheus text format.", content: ["text/plain"] } },
      async handle() {
        const headers = { "content-type": METRICS_CONTENT_TYPE };
        return new Response(await metrics.render(), { headers });
      },
    },
  ]);
}
