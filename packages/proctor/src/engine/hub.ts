// The Hub in this process: reads come from the store, and the engine carries out runs.
import { contentSha256, type Artifact } from "../core/artifact.ts";
import { ProctorError, runNotFound } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import { forkRun } from "../core/fork.ts";
import type { AgentDirectory } from "../core/ports/agent-directory.ts";
import type { Json } from "../core/json.ts";
import type { BlobStore, ByteRange } from "../core/ports/blob-store.ts";
import type { Capabilities } from "../core/ports/capabilities.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { CheckSchema } from "../core/check-answer.ts";
import type { Hub, RunRequest, SubmitOptions, Submitted } from "../core/ports/hub.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Judging } from "./judging.ts";
import type { Message } from "../core/message.ts";
import { decodeRecord, type NewRun, type Store } from "../core/ports/store.ts";
import { DEFAULT_PAGE_LIMIT } from "../core/page.ts";
import { clientRequestProblems, requestProblems, type RequestProblem } from "../core/request-problems.ts";
import { requireEnded } from "../core/require-ended.ts";
import { isTerminal, type Run } from "../core/run.ts";
import { checkInput } from "./capability-contract.ts";
import { createControl, isIllegal } from "./control-run.ts";
import { createConversations } from "./conversations.ts";
import { createDoor } from "./door.ts";
import type { Engine } from "./engine.ts";
import { createFiles } from "./files.ts";
import { newClientRun, newRun } from "./new-run.ts";
import { createRepeatedRequests } from "./repeated-requests.ts";
import { createSerial } from "../core/serial.ts";
import { createStepFolds } from "./step-folds.ts";
import { clientState, createTell } from "./tell.ts";

interface HubDeps {
  store: Store;
  /** Reader of the same store, which surfaces and webhooks share. */
  log: LogReader;
  blobs: BlobStore;
  engine: Engine;
  agents: AgentDirectory;
  sealer: Sealer;
  judging: Judging;
  clock: Clock;
  /** Milliseconds that runs in flight may take to end when the hub is closed. */
  closeGraceMs: number;
  /** Milliseconds that the owner of a run in another process may take to react; 10 s when absent. */
  ownerSilentMs?: number;
  /** Checks runs against the capabilities that they carry out; absent where the agents have none. */
  capabilities?: Capabilities;
  /** Checks the data of a form; absent where forms are not checked. */
  checkSchema?: CheckSchema;
}

const OWNER_SILENT_MS = 10_000;

/** Returns whether a request refers to other runs. */
function talks({ conversation_id, follows, parent_id }: RunRequest): boolean {
  return conversation_id !== undefined || follows !== undefined || parent_id !== undefined;
}

export function createHub(deps: HubDeps): Hub {
  const { store, log, blobs, engine, agents, sealer, judging, clock } = deps;
  const serial = createSerial();
  const createRun = createRepeatedRequests(store);
  const door = createDoor({ store, engine, sealer, clock, serial });
  const folds = createStepFolds(store);
  const tell = createTell({ store, folds, serial, clock });
  const control = createControl({
    engine,
    log,
    clock,
    door,
    tell,
    existing,
    ownerSilentMs: deps.ownerSilentMs ?? OWNER_SILENT_MS,
  });
  const conversations = createConversations({ ...deps, door });
  const files = createFiles({ store, blobs, folds, clock, existing, artifact, append });
  let closing: Promise<void> | undefined;

  async function existing(id: string): Promise<Run> {
    const run = await store.readRun(id);
    if (run) return run;
    throw runNotFound(id);
  }

  async function endedRun(id: string): Promise<Run> {
    return requireEnded(await existing(id));
  }

  function append(id: string, draft: EventDraft): Promise<Run> {
    // In turn with what clients report, so that neither has to try again because of the other.
    return door.append(id, [draft]);
  }

  /** Runs one submission to a conversation at a time: two could both find it free. */
  function inConversation<T>({ conversation_id, follows }: RunRequest, work: () => Promise<T>): Promise<T> {
    const key = follows ?? conversation_id;
    return key === undefined ? work() : serial(`conversation:${key}`, work);
  }

  function refuseClosing(): void {
    if (closing) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping and takes no more runs");
  }

  async function artifact(runId: string, artifactId: string): Promise<Artifact> {
    const found = await store.readArtifact(runId, artifactId);
    if (found) return found;
    await existing(runId);
    throw new ProctorError("ARTIFACT_NOT_FOUND", `run ${runId} has no artifact ${artifactId}`);
  }

  async function close(): Promise<void> {
    control.close();
    await engine.stop(deps.closeGraceMs);
    judging.close();
    await store.close();
  }

  async function submit(request: RunRequest, options: SubmitOptions = {}): Promise<Submitted> {
    refuseClosing();
    refuseWrong(requestProblems(request));
    const agent = await agents.resolve(request.agent);
    await checkInput(request, agent.label, deps.capabilities);
    return inConversation(request, async () => {
      const placed = talks(request) ? await conversations.place(request, agent, clock.now()) : request;
      const created = newRun(placed, agent, options, sealer, clock.now());
      engine.expect(created.id);
      const storing = createRun(created);
      // Before the commit: where there is room, the run is created and claimed in one.
      engine.wake();
      const stored = await storing;
      const message = stored.created ? messageIn(created) : undefined;
      return message ? { ...stored, message } : stored;
    });
  }

  return {
    submit,
    async prepare(request, options = {}) {
      refuseClosing();
      refuseWrong(requestProblems(request));
      const agent = await agents.resolve(request.agent);
      await checkInput(request, agent.label, deps.capabilities);
      return inConversation(request, async () => {
        const placed = talks(request) ? await conversations.place(request, agent, clock.now()) : request;
        return createRun(newRun(placed, agent, options, sealer, clock.now(), "prepared"));
      });
    },
    async start(id) {
      refuseClosing();
      const run = await existing(id);
      if (run.status !== "created") return run;
      engine.expect(id);
      try {
        return await append(id, { type: "run.queued", payload: {} });
      } catch (error) {
        // Another caller started or cancelled it meanwhile.
        if (!isIllegal(error)) throw error;
        return await existing(id);
      } finally {
        engine.wake();
      }
    },
    async openClientRun(request, options = {}) {
      refuseClosing();
      refuseWrong(clientRequestProblems(request));
      return createRun(newClientRun(request, options, sealer, clock.now()));
    },
    tell,
    async steps(id) {
      const run = await existing(id);
      return clientState(id, await folds.read(id, run));
    },
    run: existing,
    runs: (query) => store.listRuns(query),
    runsPage: (page) => store.listPage(page),
    async remove(id) {
      if (!isTerminal((await existing(id)).status)) await control.stop(id);
      await judging.release(await existing(id));
      const left = await store.deleteRun(id);
      folds.forget(id);
      if (left === undefined) throw runNotFound(id);
      await files.drop(left);
    },
    async events(id, { after = -1, limit = DEFAULT_PAGE_LIMIT }) {
      const records = await store.readEvents(id, after, limit);
      if (records.length === 0) await existing(id);
      return records.map(decodeRecord);
    },
    async *follow(id, after, signal) {
      for await (const records of log.records(id, after, signal)) {
        for (const record of records) yield decodeRecord(record);
      }
    },
    cancel: (id, reason = "cancelled by request") => control.cancel(id, reason),
    pause: (id) => control.pause(id),
    resume: (id) => control.resume(id),
    say: (id, message) => conversations.say(id, message),
    answer: (id, answer) => conversations.answer(id, answer),
    messages: (id) => conversations.messages(id),
    questions: (query) => conversations.questions(query),
    conversation: (id) => conversations.conversation(id),
    forkPoints: (id) => conversations.forkPoints(id),
    fork: (id, request, options) =>
      forkRun({ run: existing, forkPoints: conversations.forkPoints, submit }, id, request, options),
    tally: (rootId) => conversations.tally(rootId),
    artifact,
    addFile: (runId, file) => files.add(runId, file),
    removeArtifact: (runId, artifactId) => files.remove(runId, artifactId),
    async readArtifact(runId, artifactId, range) {
      const found = await artifact(runId, artifactId);
      if (found.type === "structured" && found.data !== undefined) return inlineContent(found.data, range);
      const sha256 = contentSha256(found);
      if (sha256 === undefined || (await blobs.stat(sha256)) === undefined) {
        throw new ProctorError("ARTIFACT_NOT_FOUND", `artifact ${artifactId} has no content here`);
      }
      return blobs.read(sha256, range);
    },
    openWorkspace: async (id) => judging.openWorkspace(await endedRun(id)),
    packWorkspace: async (id) => (await judging.openWorkspace(await endedRun(id))).pack(),
    async verify(request, signal) {
      await endedRun(request.runId);
      return judging.verify(request, signal);
    },
    release: async (id) => judging.release(await endedRun(id)),
    agents: (page) => agents.list(page),
    agent: (name) => agents.get(name),
    addAgent: (agent, options) => agents.add(agent, options),
    removeAgent: (name) => agents.remove(name),
    close: () => (closing ??= close()),
  };
}

function messageIn({ events }: NewRun): Message | undefined {
  for (const { draft } of events) if (draft.type === "message.added") return draft.payload.message;
  return undefined;
}

function refuseWrong(problems: readonly RequestProblem[]): void {
  if (problems.length === 0) return;
  const message = problems.map((problem) => `${problem.path}: ${problem.message}`).join("\n");
  throw new ProctorError("INVALID_REQUEST", message, {
    details: problems.map((problem) => ({ ...problem })),
  });
}

async function* inlineContent(data: Json, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(JSON.stringify(data));
  yield range ? bytes.subarray(range.start, range.end + 1) : bytes;
}
