// Builds the first events of a run: from what a client submitted, or from the attempt that failed before it.
import { hash } from "node:crypto";
import { canonicalJson } from "../core/canonical-json.ts";
import type { EventDraft } from "../core/event.ts";
import { uuidV7 } from "../core/id.ts";
import type { Json } from "../core/json.ts";
import type { ResolvedAgent } from "../core/ports/agent-directory.ts";
import type { ClientRunRequest, RunRequest, SubmitOptions } from "../core/ports/hub.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun, NewRun } from "../core/ports/store.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import { CLIENT_AGENT, CLIENT_WORKER } from "../core/run.ts";
import { newTraceId } from "../core/trace.ts";
import type { PlacedRequest } from "./conversations.ts";
import { toNewEvent } from "./new-event.ts";
import { maskSecrets, sealSecrets, secretsIn, type Asked } from "./secrets.ts";

/** The events after `run.created`: an agent's run is queued, at once or when it is started; a client's starts at once. */
const BEGINNINGS = {
  queued: [{ type: "run.queued", payload: {} }],
  prepared: [],
  client: [{ type: "run.started", payload: { worker: CLIENT_WORKER } }],
} satisfies Record<string, EventDraft[]>;

type Beginning = keyof typeof BEGINNINGS;

/** Stands in for the agent where a client does the work. */
const CLIENT: ResolvedAgent = { label: CLIENT_AGENT, spec: { protocol: "client", transport: "none" } };

export function newClientRun(
  request: ClientRunRequest,
  options: SubmitOptions,
  sealer: Sealer,
  nowMs: number,
): NewRun {
  return newRun(request, CLIENT, options, sealer, nowMs, "client");
}

export function newRun(
  request: PlacedRequest | ClientRunRequest,
  agent: ResolvedAgent,
  options: SubmitOptions,
  sealer: Sealer,
  nowMs: number,
  beginning: Beginning = "queued",
): NewRun {
  const asked: Asked = {
    spec: agent.spec,
    task: request.task,
    context: request.context ?? {},
    metadata: request.metadata ?? {},
    options: request.options ?? {},
  };
  const { spec, task, context, metadata, options: runOptions } = maskSecrets(asked);
  const redactor = createRedactor(secretsIn(asked));
  const created: EventDraft = {
    type: "run.created",
    payload: {
      agent: agent.label,
      spec,
      task,
      constraints: request.constraints ?? {},
      context,
      metadata,
      retry: "retry" in request ? (request.retry ?? null) : null,
      attempt: 1,
      retry_of: null,
      trace_id: options.traceId ?? newTraceId(),
      // What may be absent comes last: V8 adds a property after a spread slowly.
      ...(request.options && { options: runOptions }),
      ...(request.alias !== undefined && { alias: request.alias }),
      ...(options.parentSpanId !== undefined && { parent_span_id: options.parentSpanId }),
      ...placeOf(request),
    },
  };
  const drafts = [created, ...messageOf(request, nowMs), ...BEGINNINGS[beginning]];
  const [first, ...others] = draftsToEvents(drafts, redactor, nowMs);
  return {
    id: uuidV7(nowMs),
    events: first ? [first, ...others] : [],
    sealed: sealSecrets(asked, first?.draft !== created, sealer),
    notBefore: nowMs,
    ...(options.idempotencyKey !== undefined && {
      idempotency: { key: options.idempotencyKey, fingerprint: fingerprint(request, beginning) },
    }),
  };
}

/** Returns the conversation and the tree of the run, as far as it belongs to others. */
function placeOf({ conversation_id, follows, parent_id, ...rest }: PlacedRequest | ClientRunRequest) {
  const root = "root_id" in rest ? rest.root_id : undefined;
  return {
    ...(conversation_id !== undefined && { conversation_id }),
    ...(follows !== undefined && { follows }),
    ...(parent_id !== undefined && { parent_id }),
    ...(root !== undefined && { root_id: root }),
  };
}

function messageOf({ message }: Pick<RunRequest, "message">, nowMs: number): EventDraft[] {
  if (message === undefined) return [];
  const { id = uuidV7(nowMs), ...rest } = message;
  return [{ type: "message.added", payload: { message: { id, role: "user", ...rest } } }];
}

/** Returns the attempt that follows a failed one, by its retry policy. Its secrets stay sealed. */
export function nextAttempt(
  failed: Pick<ClaimedRun, "run" | "spec" | "sealed">,
  delayMs: number,
  nowMs: number,
): NewRun {
  const { run, spec, sealed } = failed;
  const { agent, task, constraints, context, metadata, options, alias, retry, trace_id, parent_span_id } =
    run;
  const notBefore = nowMs + delayMs;
  const created: EventDraft = {
    type: "run.created",
    payload: {
      agent,
      spec,
      task,
      constraints,
      context,
      metadata,
      options,
      ...(alias !== null && { alias }),
      retry,
      attempt: run.attempt + 1,
      retry_of: run.id,
      trace_id,
      ...(parent_span_id !== null && { parent_span_id }),
      conversation_id: run.conversation_id,
      ...(run.follows !== null && { follows: run.follows }),
      ...(run.parent_id !== null && { parent_id: run.parent_id, root_id: run.root_id }),
    },
  };
  const queued: EventDraft = {
    type: "run.queued",
    payload: { not_before: new Date(notBefore).toISOString() },
  };
  // Everything here was redacted when the first attempt was written.
  return {
    id: uuidV7(nowMs),
    events: draftsToEvents([created, queued], createRedactor([]), nowMs),
    sealed,
    notBefore,
  };
}

function draftsToEvents(drafts: EventDraft[], redactor: Redactor, nowMs: number): NewRun["events"] {
  return drafts.map((draft) => toNewEvent(draft, redactor, nowMs));
}

/** Returns the same text for equal requests for the same kind of run, whatever the order of their keys. */
function fingerprint(request: object, beginning: Beginning): string {
  // A request is JSON, whichever way it came.
  const asked = canonicalJson(request as unknown as Json);
  return hash("sha256", beginning === "queued" ? asked : `${beginning}:${asked}`);
}
