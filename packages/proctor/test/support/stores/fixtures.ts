// What the cases of a store are made of: small runs and events, with a time of their own.
import type { EventDraft, RunEvent } from "../../../src/core/event.ts";
import { uuidV7 } from "../../../src/core/id.ts";
import {
  decodeRecord,
  type ClaimRequest,
  type NewEvent,
  type NewRun,
  type Store,
} from "../../../src/core/ports/store.ts";
import type { Answer, Question } from "../../../src/core/question.ts";
import type { TerminalStatus } from "../../../src/core/run.ts";

export interface OpenedStore {
  store: Store;
  /** Closes the store and opens what it left behind. */
  reopen(): Promise<Store>;
  close(): Promise<void>;
}

export const NOW = 1_700_000_000_000;

export function newEvent(draft: EventDraft, timestamp = NOW): NewEvent {
  return { timestamp, draft, payload: JSON.stringify(draft.payload) };
}

export function logged(text: string): NewEvent {
  return newEvent({ type: "log", payload: { stream: "stdout", text } });
}

export function started(worker = "w"): NewEvent {
  return newEvent({ type: "run.started", payload: { worker } });
}

export function ended(status: TerminalStatus = "completed"): NewEvent {
  return newEvent({ type: "run.ended", payload: { status } }, NOW + 5000);
}

export function artifactAdded(id: string, sha256: string): NewEvent {
  return newEvent({
    type: "artifact.added",
    payload: { artifact: { id, type: "file", path: `${id}.txt`, content_hash: `sha256:${sha256}` } },
  });
}

/** A question of a run; it expires an hour after NOW unless said otherwise. */
export function question(id: string, changes: Partial<Question> = {}): Question {
  return {
    id,
    kind: "input",
    parts: [{ kind: "text", text: `${id}?` }],
    blocking: true,
    audience: "client",
    expires_at: new Date(NOW + 3_600_000).toISOString(),
    ...changes,
  };
}

export function asked(id: string, changes: Partial<Question> = {}): NewEvent {
  return newEvent({ type: "question.asked", payload: { question: question(id, changes) } });
}

export function answered(id: string, answerId: string, timestamp = NOW): NewEvent {
  const answer: Answer = { id: answerId, by: { kind: "client" }, outcome: "given" };
  return newEvent({ type: "question.answered", payload: { id, answer } }, timestamp);
}

/** `checkAt` is in epoch milliseconds. */
export function parked(checkAt?: number): NewEvent {
  const payload = checkAt === undefined ? {} : { check_at: new Date(checkAt).toISOString() };
  return newEvent({ type: "session.parked", payload });
}

export interface RunOptions {
  id?: string;
  agent?: string;
  concurrency?: number;
  description?: string;
  sealed?: string;
  notBefore?: number;
  idempotency?: { key: string; fingerprint: string };
  conversation?: string;
  parent?: string;
  root?: string;
  /** The run is a goal. */
  goal?: boolean;
  evaluation?: string;
  protocol?: string;
  alias?: string;
  /** When it is created, in epoch milliseconds; NOW when absent. */
  at?: number;
}

export function newRun(options: RunOptions = {}): NewRun {
  const { id = uuidV7(), agent = "echo", description = "say it", sealed, notBefore = 0 } = options;
  const draft: EventDraft = {
    type: "run.created",
    payload: {
      agent,
      spec: {
        protocol: options.protocol ?? "atp",
        transport: "stdio",
        command: ["agent"],
        ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
      },
      task: { description },
      constraints: {},
      context: {},
      metadata: {
        kept: true,
        ...(options.evaluation !== undefined && { evaluation_id: options.evaluation }),
      },
      ...(options.goal === true && { options: { goal: {} } }),
      retry: null,
      attempt: 1,
      retry_of: null,
      trace_id: "0af7651916cd43dd8448eb211c80319c",
      ...(options.alias !== undefined && { alias: options.alias }),
      ...(options.conversation !== undefined && { conversation_id: options.conversation }),
      ...(options.parent !== undefined && { parent_id: options.parent }),
      ...(options.root !== undefined && { root_id: options.root }),
    },
  };
  const created = newEvent(draft, options.at);
  return {
    id,
    events: [created, newEvent({ type: "run.queued", payload: {} })],
    sealed: sealed ?? null,
    notBefore,
    ...(options.idempotency && { idempotency: options.idempotency }),
  };
}

/** A run that is already running. Returns its id. */
export async function startRun(store: Store, options: RunOptions = {}): Promise<string> {
  const { run } = await store.createRun(newRun(options));
  await store.append(run.id, [started()]);
  return run.id;
}

export function claimRequest(request: Partial<ClaimRequest> = {}): ClaimRequest {
  return { worker: "w", limit: 10, now: NOW, agentLimit: 10, inFlight: {}, ...request };
}

/** The whole log, read in pages. */
export async function readLog(store: Store, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await store.readEvents(runId, events.length - 1, 100);
    events.push(...page.map(decodeRecord));
    if (page.length === 0) return events;
  }
}
