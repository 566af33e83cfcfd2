// All routes of the neutral API, in the order in which the reference shows them.
import type { ArtifactService } from "../core/ports/artifact-service.ts";
import type { Platform } from "../core/ports/platform.ts";
import type { WorkDesk } from "../core/ports/work-desk.ts";
import type { SurfaceDescription } from "../runtime/http/route.ts";
import type { MetricsRegistry } from "../telemetry/metrics.ts";
import type { Call } from "./call.ts";
import type { EventLog } from "./event-log.ts";
import type { FeedSource } from "./feed-pages.ts";
import type { LiveStreams } from "./live-streams.ts";
import { openApiDocument, type OpenApiDocument } from "./openapi.ts";
import type { Route } from "./route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { artifactRoutes } from "./routes/artifacts.ts";
import { doubleRoutes } from "./routes/doubles.ts";
import { evaluationRoutes } from "./routes/evaluations.ts";
import { recordEvaluationRoutes } from "./routes/record-evaluations.ts";
import { conformanceRoutes } from "./routes/conformance.ts";
import { forkRoutes } from "./routes/fork.ts";
import { goalControlRoutes } from "./routes/goal-control.ts";
import { goalRoutes } from "./routes/goals.ts";
import { judgingRoutes } from "./routes/judging.ts";
import { documentationRoutes } from "./routes/documentation.ts";
import { eventRoutes } from "./routes/events.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { operationsRoutes } from "./routes/operations.ts";
import { clientRunRoutes } from "./routes/client-runs.ts";
import { registryHealthRoutes } from "./routes/registry-health.ts";
import { registryRoutes } from "./routes/registry.ts";
import { runControlRoutes } from "./routes/run-control.ts";
import { runEventRoutes } from "./routes/run-events.ts";
import { runsSummaryRoutes, type SummarySource } from "./routes/runs-summary.ts";
import { runRoutes } from "./routes/runs.ts";
import { savedArtifactRoutes } from "./routes/saved-artifacts.ts";
import { scriptToolRoutes } from "./routes/script-tools.ts";
import { talkRoutes } from "./routes/talk.ts";
import { workBlobRoutes } from "./routes/work-blobs.ts";
import { workRunRoutes } from "./routes/work-runs.ts";
import { workRoutes } from "./routes/work.ts";
import { workerRoutes } from "./routes/workers.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { uploadRoutes } from "./routes/uploads.ts";

interface RoutesOptions {
  eventLog: EventLog;
  feed?: FeedSource;
  summary?: SummarySource;
  /** Artifacts that are kept independently of runs. */
  artifacts?: ArtifactService;
  /** What the hub offers in addition to runs. */
  platform?: Partial<Platform>;
  /** Gives work to workers that have no access to the database. */
  desk?: WorkDesk;
  streams: LiveStreams;
  bodyLimitBytes: number;
  onFailure: (call: Call, cause: unknown) => void;
  ready: () => Promise<void>;
  metrics: MetricsRegistry;
  version: string;
  /** Answers `/`. When absent, a page that links the parts of the API does. */
  front?: (request: Request) => Response | Promise<Response>;
  /** Returns the descriptions of the surfaces' routes. */
  described?: () => readonly SurfaceDescription[];
}

const TAGS = {
  Runs: "One attempt of one agent at one task. Its truth is its event log.",
  Conversations: "What is said to runs, what they ask, and the runs that go on from one another.",
  Steps: "What a run consists of: told by the client that does the work, or read from what an agent reports.",
  Artifacts:
    "What a run produced or was given, and what sessions keep beside runs. Bytes are kept by their sha256.",
  Agents: "Who can be asked, by name.",
  Tokens: "Who may do what, and what was done. Only tokens with the scope `admin` get here.",
  Evaluations: "Invocations of suites with all their verdicts: recorded while they run, kept, compared.",
  Goals:
    "What is asked of several agents: planned, routed, carried out, reviewed. A goal is a run, with runs below it.",
  Registry: "The same agents, as they register themselves: what they can do, and how they are.",
  "Script tools": "Tools that are scripts, called in a sandbox: by agents, over MCP, and here.",
  Workers: "The processes that carry out runs, where several share a database.",
  Work: "For workers that have a hub in place of the database: they get runs with a ticket for each, and write with it.",
  Doubles: "Stand-ins that run as programs of their own (`proctor mock`), and what was asked of them.",
  Operations: "For operators and their tools.",
};

const DESCRIPTION = `One hub, several doors to the same runs. Runs, conversations, steps, artifacts and agents are the neutral API; the other groups are protocols with words of their own, and a task there is a run here.

In the neutral API documents are JSON with snake_case names, and a list is \`{items, next_cursor}\`: pass \`next_cursor\` as \`cursor\` to get the next page. The task APIs count pages by number instead, and answer with \`pagination\`.

An error is \`{error, code, message, details?}\`; ATP, tools and models have the forms of their protocols. Every response names its trace in \`X-Trace-Id\`.

Each operation says which scope a token needs for it. A hub with tokens wants one as \`Authorization: Bearer <token>\`, or as \`access_token\` in the query where a browser cannot send headers: event streams and WebSockets. A hub without any answers only its own machine. Web pages of other origins may ask when \`allowed_origins\` names them.`;

/** Returns the routes of the parts that this hub has. */
function platformRoutes({ platform = {}, streams, bodyLimitBytes, version }: RoutesOptions): Route[] {
  const { conformance, evaluations, goals, registry, scriptTools, tokens, workers, doubles } = platform;
  return [
    ...(conformance ? conformanceRoutes(conformance, bodyLimitBytes) : []),
    ...(evaluations ? evaluationRoutes(evaluations, streams) : []),
    ...(evaluations ? recordEvaluationRoutes(evaluations, bodyLimitBytes) : []),
    ...(goals ? [...goalRoutes(goals, bodyLimitBytes), ...goalControlRoutes(goals, bodyLimitBytes)] : []),
    ...(registry ? registryRoutes(registry, bodyLimitBytes) : []),
    ...(registry ? registryHealthRoutes(registry, streams, bodyLimitBytes) : []),
    ...(scriptTools ? scriptToolRoutes(scriptTools, bodyLimitBytes) : []),
    ...(scriptTools ? mcpRoutes({ tools: scriptTools, version, bodyLimitBytes }) : []),
    ...(tokens ? tokenRoutes(tokens, bodyLimitBytes) : []),
    ...(workers ? workerRoutes(workers) : []),
    ...(doubles ? doubleRoutes(doubles, bodyLimitBytes) : []),
  ];
}

function deskRoutes(desk: WorkDesk, onFailure: RoutesOptions["onFailure"]): Route[] {
  return [...workRoutes(desk), ...workRunRoutes(desk), ...workBlobRoutes(desk, onFailure)];
}

export function createRoutes(options: RoutesOptions): { routes: Route[]; openapi: () => OpenApiDocument } {
  const { eventLog, streams, bodyLimitBytes, version, onFailure } = options;
  function openapi(): OpenApiDocument {
    const described = options.described?.() ?? [];
    return openApiDocument([...routes, ...described.flatMap((surface) => surface.routes)], {
      version,
      description: DESCRIPTION,
      tags: Object.assign({}, TAGS, ...described.map(({ tags }) => tags)) as Record<string, string>,
    });
  }
  const routes: Route[] = [
    ...runsSummaryRoutes(options.summary),
    ...runRoutes(bodyLimitBytes),
    ...runEventRoutes(eventLog, streams),
    ...eventRoutes(options.feed, streams),
    ...runControlRoutes(bodyLimitBytes),
    ...talkRoutes(bodyLimitBytes),
    ...forkRoutes(bodyLimitBytes),
    ...clientRunRoutes(bodyLimitBytes),
    ...artifactRoutes(onFailure),
    ...judgingRoutes(bodyLimitBytes, onFailure),
    ...uploadRoutes(),
    ...savedArtifactRoutes(options.artifacts, onFailure),
    ...agentRoutes(bodyLimitBytes),
    ...platformRoutes(options),
    ...(options.desk ? deskRoutes(options.desk, onFailure) : []),
    ...operationsRoutes(options),
    ...documentationRoutes(openapi, version, options.front),
  ];
  return { routes, openapi };
}
