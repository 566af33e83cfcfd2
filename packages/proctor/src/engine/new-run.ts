// Builds the first two events of a run: from what a client submitted, or from the attempt that failed before it.
import { createHash } from "node:crypto";
import type { EventDraft } from "../core/event.ts";
import { uuidV7 } from "../core/id.ts";
import type { ResolvedAgent } from "../core/ports/agent-directory.ts";
import type { RunRequest, SubmitOptions } from "../core/ports/hub.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun, NewRun } from "../core/ports/store.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import { newTraceId } from "../core/trace.ts";
import { toNewEvent } from "./new-event.ts";
import { sealSecrets } from "./secrets.ts";

export function newRun(
  request: RunRequest,
  agent: ResolvedAgent,
  options: SubmitOptions,
  sealer: Sealer,
  nowMs: number,
): NewRun {
  const masked = sealSecrets(agent.spec, request.context ?? {}, request.options, sealer);
  const { spec, context, sealed, secrets } = masked;
  const redactor = createRedactor(secrets);
  const created: EventDraft = {
    type: "run.created",
    payload: {
      agent: agent.label,
      spec,
      task: request.task,
      constraints: request.constraints ?? {},
      context,
      metadata: request.metadata ?? {},
      ...(masked.options && { options: masked.options }),
      ...(request.alias !== undefined && { alias: request.alias }),
      retry: request.retry ?? null,
      attempt: 1,
      retry_of: null,
      trace_id: options.traceId ?? newTraceId(),
    },
  };
  return {
    id: uuidV7(nowMs),
    events: draftsToEvents([created, { type: "run.queued", payload: {} }], redactor, nowMs),
    sealed,
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
  return createHash("sha256")
    .update(JSON.stringify(sorted(request)))
    .digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
