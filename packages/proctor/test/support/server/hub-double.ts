// A Hub in memory for the server's tests: the real fold and the real rules of core, no engine and no disk. Tests play
// the agent with `append`.
import { createHash } from "node:crypto";
import { formatAddress } from "../../../src/core/address.ts";
import type { Agent } from "../../../src/core/agent.ts";
import type { Artifact } from "../../../src/core/artifact.ts";
import { ProctorError } from "../../../src/core/errors.ts";
import type { EventDraft, RunEvent } from "../../../src/core/event.ts";
import { applyEvent, type RunState } from "../../../src/core/fold.ts";
import { uuidV7 } from "../../../src/core/id.ts";
import type {
  ClientRunRequest,
  Hub,
  NewAgent,
  RunRequest,
  SubmitOptions,
} from "../../../src/core/ports/hub.ts";
import type { LogReader } from "../../../src/core/ports/log-reader.ts";
import type { CommitListener, EventRecord, Store } from "../../../src/core/ports/store.ts";
import { createLogReader } from "../../../src/engine/log-reader.ts";
import { systemClock } from "../../../src/runtime/time/system-clock.ts";
import { foldAllSteps, NO_STEPS } from "../../../src/core/fold-steps.ts";
import { CLIENT_AGENT, CLIENT_WORKER, isClientRun, type Run } from "../../../src/core/run.ts";
import { planTold } from "../../../src/core/step-machine.ts";

interface Log {
  state: RunState | null;
  events: RunEvent[];
}

export interface HubDouble extends Hub {
  append(runId: string, ...drafts: EventDraft[]): Run;
  /** A run that is running, without going through the API. */
  begin(description?: string): Promise<Run>;
  end(runId: string): Run;
  addArtifact(runId: string, artifact: Artifact, bytes: Uint8Array): void;
  records(runId: string, after: number, limit: number): Promise<EventRecord[]>;
  /** As the hub's reader of logs does it. */
  until: LogReader["until"];
  /** What was called, for tests that ask. */
  calls: { name: string; args: unknown[] }[];
  /** Followers and watchers that are open now. */
  listeners(): number;
  /** When set, `run` rejects with it. */
  failure: Error | undefined;
  /** When set, artifact bytes end with it. */
  readFailure: Error | undefined;
}

export function createHubDouble(): HubDouble {
  const logs = new Map<string, Log>();
  const agents = new Map<string, Agent>();
  const keys = new Map<string, { body: string; id: string }>();
  const bytesOf = new Map<string, Uint8Array>();
  const listeners = new Set<(runId: string, lastSequence: number) => void>();
  const calls: HubDouble["calls"] = [];

  function logOf(id: string): Log {
    const log = logs.get(id);
    if (log === undefined) throw new ProctorError("RUN_NOT_FOUND", `there is no run ${id}`);
    return log;
  }

  function runOf(id: string): Run {
    const { state } = logOf(id);
    if (state === null) throw new ProctorError("RUN_NOT_FOUND", `there is no run ${id}`);
    return state.run;
  }

  function create(
    agent: string,
    request: RunRequest | ClientRunRequest,
    options: SubmitOptions,
    rest: EventDraft[],
  ): { run: Run; created: boolean } {
    const { idempotencyKey: key } = options;
    const body = JSON.stringify(request);
    const known = key === undefined ? undefined : keys.get(key);
    if (known !== undefined) {
      if (known.body !== body) throw new ProctorError("IDEMPOTENCY_CONFLICT", "the key has another body");
      return { run: runOf(known.id), created: false };
    }
    const id = uuidV7();
    if (key !== undefined) keys.set(key, { body, id });
    logs.set(id, { state: null, events: [] });
    const { task, constraints = {}, context = {}, metadata = {} } = request;
    const retry = "retry" in request ? (request.retry ?? null) : null;
    const run = hub.append(
      id,
      {
        type: "run.created",
        payload: {
          agent,
          spec: { protocol: "double", transport: "none" },
          task,
          constraints,
          context,
          metadata,
          retry,
          attempt: 1,
          retry_of: null,
          trace_id: options.traceId ?? "0".repeat(31) + "1",
        },
      },
      ...rest,
    );
    return { run, created: true };
  }

  // Of a store, waiting needs nothing but its announcements.
  const reader = createLogReader(
    {
      watch(listener: CommitListener) {
        const announce = (runId: string, lastSequence: number): void =>
          listener(runId, lastSequence, 1, false, true);
        listeners.add(announce);
        return () => listeners.delete(announce);
      },
    } as unknown as Store,
    systemClock,
  );
  const hub: HubDouble = {
    calls,
    failure: undefined,
    readFailure: undefined,
    listeners: () => listeners.size,
    append(runId, ...drafts) {
      const log = logOf(runId);
      for (const draft of drafts) {
        log.state = applyEvent(log.state, runId, draft, Date.now());
        const timestamp = new Date().toISOString();
        log.events.push({ run_id: runId, sequence: log.events.length, timestamp, ...draft });
      }
      for (const listener of listeners) listener(runId, log.events.length - 1);
      return runOf(runId);
    },
    async begin(description = "do it") {
      const { run } = await hub.submit({ agent: "double", task: { description } });
      return hub.append(run.id, { type: "run.started", payload: { worker: "w" } });
    },
    end: (runId) => hub.append(runId, { type: "run.ended", payload: { status: "completed" } }),
    addArtifact(runId, artifact, bytes) {
      hub.append(runId, { type: "artifact.added", payload: { artifact } });
      bytesOf.set(artifact.id, bytes);
    },
    async submit(request, options = {}) {
      calls.push({ name: "submit", args: [request, options] });
      const agent = typeof request.agent === "string" ? request.agent : formatAddress(request.agent);
      return create(agent, request, options, [{ type: "run.queued", payload: {} }]);
    },
    async prepare(request, options = {}) {
      calls.push({ name: "prepare", args: [request, options] });
      const agent = typeof request.agent === "string" ? request.agent : formatAddress(request.agent);
      return create(agent, request, options, []);
    },
    async start(id) {
      return runOf(id).status === "created" ? hub.append(id, { type: "run.queued", payload: {} }) : runOf(id);
    },
    openClientRun: async (request, options = {}) =>
      create(CLIENT_AGENT, request, options, [{ type: "run.started", payload: { worker: CLIENT_WORKER } }]),
    async tell(id, drafts) {
      const state = await hub.steps(id);
      if (!isClientRun(state.run)) throw new ProctorError("INVALID_REQUEST", `an agent performs run ${id}`);
      hub.append(id, ...planTold(state, drafts(state)));
      return hub.steps(id);
    },
    say: () => Promise.reject(new Error("this double does not talk")),
    answer: () => Promise.reject(new Error("this double does not talk")),
    messages: () => Promise.resolve([]),
    questions: () => Promise.resolve({ items: [], next_cursor: null }),
    conversation: () => Promise.reject(new Error("this double does not talk")),
    forkPoints: () => Promise.resolve([]),
    fork: () => Promise.reject(new Error("this double does not talk")),
    tally: () => Promise.reject(new Error("this double has no trees")),
    async steps(id) {
      const { events } = logOf(id);
      return { run: runOf(id), steps: foldAllSteps(NO_STEPS, events).steps, sequence: events.length - 1 };
    },
    async addFile(runId, file) {
      calls.push({ name: "addFile", args: [runId, file] });
      runOf(runId);
      const bytes = Buffer.concat(await collect(file.content));
      if (bytes.length > file.maxBytes) throw new ProctorError("PAYLOAD_TOO_LARGE", "too large");
      const artifact: Artifact = {
        id: uuidV7(),
        type: "file",
        path: file.relativePath,
        file_name: file.fileName,
        content_type: file.contentType,
        size_bytes: bytes.length,
        content_hash: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
        agent_created: false,
      };
      hub.append(runId, { type: "artifact.added", payload: { artifact, by: "client" } });
      bytesOf.set(artifact.id, bytes);
      return artifact;
    },
    async removeArtifact(runId, artifactId) {
      hub.append(runId, { type: "artifact.removed", payload: { artifact_id: artifactId } });
      bytesOf.delete(artifactId);
    },
    async remove(id) {
      calls.push({ name: "remove", args: [id] });
      runOf(id);
      logs.delete(id);
    },
    async runsPage({ page, size, status, agent }) {
      const all = Array.from(logs.keys(), runOf)
        .reverse()
        .filter((run) => status?.includes(run.status) !== false && (agent ?? run.agent) === run.agent);
      return { items: all.slice((page - 1) * size, page * size), total: all.length };
    },
    async run(id) {
      if (hub.failure !== undefined) throw hub.failure;
      return runOf(id);
    },
    async runs(query) {
      calls.push({ name: "runs", args: [query] });
      if (query.cursor === "wrong") throw new ProctorError("INVALID_CURSOR", "not issued by this list");
      const items = Array.from(logs.keys(), runOf);
      return { items: items.slice(0, query.limit ?? 50), next_cursor: null };
    },
    async events(id, { after = -1, limit = 50 }) {
      return logOf(id).events.slice(after + 1, after + 1 + limit);
    },
    async *follow(id, after, signal) {
      let next = after + 1;
      while (!signal.aborted) {
        const { events } = logOf(id);
        const event = events[next];
        if (event !== undefined) {
          next += 1;
          yield event;
          if (event.type === "run.ended") return;
          continue;
        }
        await new Promise<void>((resolve) => {
          const done = (): void => {
            listeners.delete(done);
            resolve();
          };
          listeners.add(done);
          signal.addEventListener("abort", done, { once: true });
        });
      }
    },
    async cancel(id, reason) {
      calls.push({ name: "cancel", args: [id, reason] });
      const run = runOf(id);
      if (run.status === "cancelled") return run;
      return hub.append(id, { type: "run.ended", payload: { status: "cancelled" } });
    },
    pause: async (id) => hub.append(id, { type: "run.paused", payload: {} }),
    resume: async (id) => hub.append(id, { type: "run.resumed", payload: {} }),
    async artifact(runId, artifactId) {
      const artifact = runOf(runId).artifacts.find(({ id }) => id === artifactId);
      if (artifact === undefined) throw new ProctorError("ARTIFACT_NOT_FOUND", "there is no such artifact");
      return artifact;
    },
    async readArtifact(_runId, artifactId, range) {
      calls.push({ name: "readArtifact", args: [artifactId, range] });
      const bytes = bytesOf.get(artifactId) ?? new Uint8Array();
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
      return chunks(part, () => hub.readFailure);
    },
    openWorkspace: () => Promise.reject(new Error("no workspace here")),
    async packWorkspace(id) {
      calls.push({ name: "packWorkspace", args: [id] });
      return chunks(new TextEncoder().encode("an archive"), () => hub.readFailure);
    },
    async verify(request) {
      calls.push({ name: "verify", args: [request] });
      if (hub.failure) throw hub.failure;
      return {
        rewards: { reward: 1 },
        timedOut: false,
        exitCode: 0,
        output: "1 passed",
        files: { "reward.txt": new TextEncoder().encode("1") },
        notes: [],
        setupMs: 1,
        durationMs: 2,
      };
    },
    async release(id) {
      calls.push({ name: "release", args: [id] });
    },
    async agents() {
      return { items: [...agents.values()], next_cursor: null };
    },
    async agent(name) {
      const agent = agents.get(name);
      if (agent === undefined) throw new ProctorError("AGENT_NOT_FOUND", `there is no agent ${name}`);
      return agent;
    },
    async addAgent(agent: NewAgent, options = {}) {
      if (agents.has(agent.name) && options.replace !== true) {
        throw new ProctorError("AGENT_EXISTS", `there is an agent ${agent.name}`);
      }
      const added = { ...agent, address: formatAddress(agent), created_at: new Date().toISOString() };
      agents.set(agent.name, added);
      return added;
    },
    async removeAgent(name) {
      if (!agents.delete(name)) throw new ProctorError("AGENT_NOT_FOUND", `there is no agent ${name}`);
    },
    async records(runId, after, limit) {
      const events = logs.get(runId)?.events.slice(after + 1, after + 1 + limit) ?? [];
      return events.map((event) => ({
        run_id: runId,
        sequence: event.sequence,
        timestamp: Date.parse(event.timestamp),
        type: event.type,
        payload: JSON.stringify(event.payload),
        origin: null,
      }));
    },
    until: (runId, look, signal) => reader.until(runId, look, signal),
    async close() {},
  };
  return hub;
}

async function* chunks(bytes: Uint8Array, failure: () => Error | undefined): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += 64 * 1024) {
    const thrown = failure();
    if (thrown !== undefined && start > 0) throw thrown;
    yield bytes.subarray(start, start + 64 * 1024);
  }
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of content) all.push(chunk);
  return all;
}
