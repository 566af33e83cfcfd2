// The Hub over HTTP: the neutral API of a hub elsewhere, or of another process on this machine.
import { randomUUID } from "node:crypto";
import type { Agent } from "../core/agent.ts";
import type { Artifact } from "../core/artifact.ts";
import { ProctorError } from "../core/errors.ts";
import type { RunEvent } from "../core/event.ts";
import type { ForkPoint } from "../core/fork.ts";
import { MAX_PAGE_LIMIT, type Page } from "../core/page.ts";
import type { Message } from "../core/message.ts";
import type {
  ClientState,
  Conversation,
  ConversationMessage,
  Hub,
  RunRequest,
  SubmitOptions,
} from "../core/ports/hub.ts";
import type { OpenQuestion, TreeTally } from "../core/ports/store.ts";
import type { WorkspaceView } from "../core/ports/workspaces.ts";
import { isTerminal, type Run } from "../core/run.ts";
import type { Step } from "../core/step.ts";
import { readOverHttp } from "./http-bytes.ts";
import { createHttpClient } from "./http-client.ts";
import { followOverHttp, type ReadSse } from "./http-follow.ts";
import { path } from "./http-path.ts";
import { query } from "./http-query.ts";
import { createLastingClient, GIVE_UP_AFTER_MS } from "./lasting-client.ts";
import { submitHeaders } from "./submit-headers.ts";
import { uploadOverHttp } from "./http-upload.ts";
import { verifyOverHttp } from "./http-verify.ts";
import { copyWorkspace, type WorkspaceCopy } from "./workspace-copy.ts";

interface HttpHubOptions {
  url: string;
  token?: string;
  readSse: ReadSse;
  /** Milliseconds to keep trying while a hub that answered before does not; 30,000 by default. */
  giveUpAfterMs?: number;
}

const EVENT_PAGE = 500;
/** Attempts to write before giving up, when the run keeps changing in between. */
const MAX_TRIES = 10;

export function createHttpHub(options: HttpHubOptions): Hub {
  const { url, token, readSse, giveUpAfterMs = GIVE_UP_AFTER_MS } = options;
  const client = createLastingClient(
    createHttpClient({ url, ...(token !== undefined && { token }) }),
    giveUpAfterMs,
  );

  const copies = new Map<string, Promise<WorkspaceCopy>>();

  async function packWorkspace(id: string): Promise<AsyncIterable<Uint8Array>> {
    return bytesOf(await client.send(path`/runs/${id}/workspace`, { headers: { accept: "*/*" } }));
  }

  /** Makes one copy per run, however many checks read it. */
  async function openWorkspace(id: string): Promise<WorkspaceView> {
    const copy = copies.get(id) ?? packWorkspace(id).then(copyWorkspace);
    copies.set(id, copy);
    try {
      return (await copy).view;
    } catch (error) {
      copies.delete(id);
      throw error;
    }
  }

  async function removeCopy(id: string): Promise<void> {
    const copy = copies.get(id);
    copies.delete(id);
    await (await copy)?.remove();
  }

  const readRun = (id: string) => client.sendJson<Run>(path`/runs/${id}`);

  async function readEvents(id: string, after = -1, limit = EVENT_PAGE): Promise<RunEvent[]> {
    const page = await client.sendJson<Page<RunEvent>>(path`/runs/${id}/events` + query({ after, limit }));
    return page.items;
  }

  const control = (id: string, verb: string, body?: unknown) =>
    client.sendJson<Run>(path`/runs/${id}/${verb}`, { method: "POST", body: body ?? {} });

  async function create(
    to: string,
    body: unknown,
    submitOptions: SubmitOptions = {},
  ): Promise<{ run: Run; created: boolean }> {
    // With a key, a request whose answer was lost can be sent again; one of our own is new to the hub the first time.
    const { idempotencyKey = randomUUID() } = submitOptions;
    const headers = submitHeaders({ ...submitOptions, idempotencyKey });
    const response = await client.send(to, { method: "POST", body, headers });
    const run = (await response.json()) as Run;
    const isOld = response.headers.get("idempotency-replayed") === "true";
    return { run, created: !isOld || submitOptions.idempotencyKey === undefined };
  }

  /** Reads all steps as of one event: if the run continues meanwhile, the pages are read again. */
  async function readSteps(id: string): Promise<ClientState> {
    for (let tries = 1; ; tries++) {
      const first = await readStepsPage(id);
      const steps = [...first.items];
      let { next_cursor: cursor, sequence } = first;
      while (cursor !== null && sequence === first.sequence) {
        const page = await readStepsPage(id, cursor);
        steps.push(...page.items);
        ({ next_cursor: cursor, sequence } = page);
      }
      if (sequence === first.sequence) return { run: first.run, steps, sequence };
      if (tries === MAX_TRIES) throw changing(id);
    }
  }

  const readStepsPage = (id: string, cursor?: string) =>
    client.sendJson<Page<Step> & Omit<ClientState, "steps">>(
      `${path`/runs/${id}/steps`}${query({ cursor, limit: MAX_PAGE_LIMIT })}`,
    );

  /** Decides on the state that was read; the hub writes it only if that state is still current. */
  async function tell(id: string, drafts: Parameters<Hub["tell"]>[1]): Promise<ClientState> {
    for (let tries = 1; ; tries++) {
      const state = await readSteps(id);
      const events = drafts(state);
      if (events.length === 0) return state;
      try {
        const body = { events, expected_sequence: state.sequence };
        return await client.sendJson<ClientState>(path`/runs/${id}/tell`, { method: "POST", body });
      } catch (error) {
        if (!ProctorError.is(error) || error.code !== "CHANGED_MEANWHILE" || tries === MAX_TRIES) throw error;
      }
    }
  }

  return {
    submit: (request, submitOptions) => create("/runs", asItIs(request), submitOptions),
    prepare: (request, submitOptions) => create("/runs?start=false", asItIs(request), submitOptions),
    start: (id) => control(id, "start"),
    openClientRun: (request, submitOptions) => create("/runs/client", request, submitOptions),
    tell,
    say: (id, message) =>
      client.sendJson<Message>(path`/runs/${id}/messages`, { method: "POST", body: { ...message } }),
    answer: (id, answer) =>
      client.sendJson<Run>(path`/runs/${id}/answers`, { method: "POST", body: { ...answer } }),
    async messages(id) {
      return (await client.sendJson<Page<ConversationMessage>>(path`/runs/${id}/messages`)).items;
    },
    questions: (asked) => client.sendJson<Page<OpenQuestion>>(`/questions${query({ ...asked })}`),
    conversation: (id) => client.sendJson<Conversation>(path`/conversations/${id}`),
    async forkPoints(id) {
      return (await client.sendJson<{ points: ForkPoint[] }>(path`/runs/${id}/fork`)).points;
    },
    fork: (id, request, submitOptions) => create(path`/runs/${id}/fork`, { ...request }, submitOptions),
    tally: (rootId) => client.sendJson<TreeTally>(path`/runs/${rootId}/tally`),
    steps: readSteps,
    addFile: (runId, file) => uploadOverHttp(client, path`/runs/${runId}/artifacts`, file),
    async removeArtifact(runId, artifactId) {
      await client.send(path`/runs/${runId}/artifacts/${artifactId}`, { method: "DELETE" });
    },
    async remove(id) {
      await client.send(path`/runs/${id}`, { method: "DELETE" });
    },
    async runsPage({ page, size, status, agent }) {
      const asked = query({ page, size, status: status?.join(","), agent });
      const list = await client.sendJson<Page<Run> & { total: number }>(`/runs${asked}`);
      return { items: list.items, total: list.total };
    },
    run: readRun,
    runs: ({ status, violations, ...filters }) =>
      client.sendJson<Page<Run>>(
        `/runs${query({ status: status?.join(","), violations: violations ? "true" : undefined, ...filters })}`,
      ),
    events: (id, { after, limit }) => readEvents(id, after, limit),
    follow: (id, after, signal) =>
      followOverHttp(
        {
          client,
          url,
          readSse,
          giveUpAfterMs,
          readEvents,
          hasEnded: async (runId) => isTerminal((await readRun(runId)).status),
        },
        id,
        after,
        signal,
      ),
    cancel: (id, reason) => control(id, "cancel", reason === undefined ? {} : { reason }),
    pause: (id) => control(id, "pause"),
    resume: (id) => control(id, "resume"),
    artifact: (runId, artifactId) => client.sendJson<Artifact>(path`/runs/${runId}/artifacts/${artifactId}`),
    readArtifact: (runId, artifactId, range) =>
      readOverHttp(client, path`/runs/${runId}/artifacts/${artifactId}/content`, range),
    agents: ({ cursor, limit }) => client.sendJson<Page<Agent>>(`/agents${query({ cursor, limit })}`),
    agent: (name) => client.sendJson<Agent>(path`/agents/${name}`),
    addAgent(agent, addOptions = {}) {
      if (addOptions.replace !== true)
        return client.sendJson<Agent>("/agents", { method: "POST", body: agent });
      const { name, ...spec } = agent;
      return client.sendJson<Agent>(path`/agents/${name}`, { method: "PUT", body: spec });
    },
    async removeAgent(name) {
      await client.send(path`/agents/${name}`, { method: "DELETE" });
    },
    openWorkspace,
    packWorkspace,
    verify: ({ runId, ...request }, signal) =>
      verifyOverHttp(client, path`/runs/${runId}/verify`, request, signal),
    async release(id) {
      await removeCopy(id);
      await client.send(path`/runs/${id}/release`, { method: "POST", body: {}, repeatable: true });
    },
    async close() {
      await Promise.all([...copies.keys()].map(removeCopy));
    },
  };
}

function changing(id: string): ProctorError {
  return new ProctorError(
    "CHANGED_MEANWHILE",
    `run ${id} goes on faster than its steps can be read\ntry again, or read its events`,
  );
}

/** Keeps a reference to the response: without it, a body that is not read yet is given up. */
async function* bytesOf(response: Response): AsyncGenerator<Uint8Array, void> {
  if (response.body) yield* response.body;
}

/** Returns the request as the API needs it: where it says nothing about questions, the API asks its clients, and a Hub asks no one. */
function asItIs({ options, ...request }: RunRequest): object {
  return { ...request, options: { ...options, conversation: options?.conversation ?? null } };
}
