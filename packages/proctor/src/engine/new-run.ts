// Builds the first two events of a run: from what a client submitted, or from the attempt that failed before it.
import { createHash } from "node:crypto";
import { canonicalJson } from "../core/canonical-json.ts";
import type { EventDraft } from "../core/event.ts";
import { uuidV7 } from "../core/id.ts";
import type { Json } from "../core/json.ts";
import type { ResolvedAgent } from "../core/ports/agent-directory.ts";
import type { RunRequest, SubmitOptions } from "../core/ports/hub.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun, NewRun } from "../core/ports/store.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import { newTraceId } from "../core/trace.ts";
import { toNewEvent } from "./new-event.ts";
import { maskSecrets, sealSecrets, secretsIn, type Asked } from "./secrets.ts";

export function newRun(
  request: RunRequest,
  agent: ResolvedAgent,
  options: SubmitOptions,
  sealer: Sealer,
  nowMs: number,
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
      ...(request.options && { options: runOptions }),
      ...(request.alias !== undefined && { alias: request.alias }),
      retry: request.retry ?? null,
      attempt: 1,
      retry_of: null,
      trace_id: options.traceId ?? newTraceId(),
    },
  };
  const [first, ...others] = draftsToEvents([created, { type: "run.queued", payload: {} }], redactor, nowMs);
  return {
    id: uuidV7(nowMs),
    events: first ? [first, ...others] : [],
    sealed: sealSecrets(asked, first?.draft !== created, sealer),
    notBefore: nowMs,
    ...(options.idempotencyKey !== undefined && {
      idempotency: { key: options.idempotencyKey, fingerprint: fingerprint(request) },
    }),
  };
}

/** The attempt that follows a failed one, by its retry policy. Its secrets stay sealed. */
export function nextAttempt(failed: ClaimedRun, delayMs: number, nowMs: number): NewRun {
  const { run, spec, sealed } = failed;
  const { agent, task, constraints, context, metadata, options, alias, retry, trace_id } = run;
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
    },
  };
  const queued: EventDraft = {
    type: "run.queued",
    payload: { not_before: new Date(notBefore).toISOString() },
  };
  // Nothing to hide: everything here was redacted when the first attempt was written.
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

/** Equal for equal requests, whatever the order of their keys. */
function fingerprint(request: RunRequest): string {
  // A request is JSON, whichever way it came.
  return createHash("sha256")
    .update(canonicalJson(request as unknown as Json))
    .digest("hex");
}
