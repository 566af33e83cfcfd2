// All routes of the neutral API, in the order in which the reference shows them.
import type { Hub } from "../core/ports/hub.ts";
import type { MetricsRegistry } from "../telemetry/metrics.ts";
import type { Call } from "./call.ts";
import type { EventLog } from "./event-log.ts";
import type { LiveStreams } from "./live-streams.ts";
import { openApiDocument, type OpenApiDocument } from "./openapi.ts";
import type { Route } from "./route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { artifactRoutes } from "./routes/artifacts.ts";
import { documentationRoutes } from "./routes/documentation.ts";
import { operationsRoutes } from "./routes/operations.ts";
import { runControlRoutes } from "./routes/run-control.ts";
import { runEventRoutes } from "./routes/run-events.ts";
import { runRoutes } from "./routes/runs.ts";

export interface RoutesOptions {
  hub: Hub;
  eventLog: EventLog;
  streams: LiveStreams;
  bodyLimitBytes: number;
  onFailure: (call: Call, cause: unknown) => void;
  ready: () => Promise<void>;
  metrics: MetricsRegistry;
  version: string;
}

const TAGS = {
  Runs: "One attempt of one agent at one task. Its truth is its event log.",
  Artifacts: "What a run produced. Bytes are kept by their sha256.",
  Agents: "Who can be asked, by name.",
  Operations: "For operators and their tools.",
};

const DESCRIPTION = `Documents are JSON with snake_case names. A list is \`{items, next_cursor}\`; pass \`next_cursor\` as \`cursor\` to get the next page. An error is \`{error, code, message, details?}\`, and every response names its trace in \`X-Trace-Id\`.

A hub with a token wants it as \`Authorization: Bearer <token>\`. A hub without one answers only its own machine.`;

export function createRoutes(options: RoutesOptions): { routes: Route[]; openapi: () => OpenApiDocument } {
  const { hub, eventLog, streams, bodyLimitBytes, version, onFailure } = options;
  const openapi = (): OpenApiDocument =>
    openApiDocument(routes, { version, description: DESCRIPTION, tags: TAGS });
  const routes = [
    ...runRoutes(hub, bodyLimitBytes),
    ...runEventRoutes(hub, eventLog, streams),
    ...runControlRoutes(hub, bodyLimitBytes),
    ...artifactRoutes(hub, onFailure),
    ...agentRoutes(hub, bodyLimitBytes),
    ...operationsRoutes(options),
    ...documentationRoutes(openapi, version),
  ];
  return { routes, openapi };
}
