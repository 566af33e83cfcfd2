// Doubles for tests of the command line: an io that records what was written, and a hub whose runs do as they are told.
import { createPlatformDouble } from "./platform-double.ts";
import { PassThrough } from "node:stream";
import { temporaryFolder } from "../temporary-folder.ts";
import { noEnvironments } from "../test-hub.ts";
import type { Agent } from "../../../src/core/agent.ts";
import { formatAddress } from "../../../src/core/address.ts";
import { checkAnswer } from "../../../src/core/check-answer.ts";
import { ProctorError, runEnded } from "../../../src/core/errors.ts";
import type { EventDraft, RunEvent } from "../../../src/core/event.ts";
import { applyEvent, type RunState } from "../../../src/core/fold.ts";
import { createMessageFold } from "../../../src/core/fold-messages.ts";
import { uuidV7 } from "../../../src/core/id.ts";
import type { Message } from "../../../src/core/message.ts";
import type { ConversationMessage, Hub, RunRequest } from "../../../src/core/ports/hub.ts";
import type { Answer } from "../../../src/core/question.ts";
import { isTerminal, type Run } from "../../../src/core/run.ts";
import type { CliIo } from "../../../src/cli/cli-io.ts";
import type { Composition } from "../../../src/cli/compose/compose.ts";
import type { MachineEnvironments } from "../../../src/cli/compose/serve-environments.ts";
import type { Config, ConfigSources } from "../../../src/cli/config/load-config.ts";
import { main } from "../../../src/cli/main.ts";

export interface IoDouble extends CliIo {
  out(): string;
  err(): string;
  /** Types on the keyboard of a terminal. */
  type(text: string): void;
}

export interface IoOptions {
  /** Columns of a terminal; a pipe when absent. */
  columns?: number;
  env?: Record<string, string>;
  stdin?: string;
  /** A person can type, too. */
  keyboard?: boolean;
  cwd?: string;
}

export function createIo(options: IoOptions = {}): IoDouble {
  const { columns, env = {}, stdin = "", keyboard = false, cwd = "/somewhere" } = options;
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  const stop = new AbortController();
  const written = { out: "", err: "" };
  const output = (name: "out" | "err") => ({
    write: (content: string | Uint8Array) => void (written[name] += Buffer.from(content).toString()),
    isTTY: columns !== undefined,
    columns,
  });
  async function* input(): AsyncGenerator<string> {
    yield stdin;
  }
  return {
    stdout: output("out"),
    stderr: output("err"),
    stdin: keyboard ? keys : input(),
    type: (text) => void keys.write(text),
    env,
    cwd,
    signal: stop.signal,
    out: () => written.out,
    err: () => written.err,
    interrupt: () => stop.abort(),
  };
}

/** What a submitted run does: drafts to append, one after the other. */
export type Script = (
  run: Run,
  attempt: number,
  hub: HubDouble,
) => AsyncIterable<EventDraft> | Iterable<EventDraft>;

export interface HubDouble extends Hub {
  requests: RunRequest[];
  cancelled: string[];
  closed: number;
  /** Resolves once the run is asked to stop. */
  untilCancelled(id: string): Promise<void>;
  /** Resolves once the run has no open question. */
  untilAnswered(id: string): Promise<void>;
  append(id: string, draft: EventDraft, timeMs?: number): void;
  create(request: RunRequest, id?: string): Run;
}

const START_MS = Date.parse("2026-01-01T12:00:00.000Z");

export function createHubDouble(script: Script = completes): HubDouble {
  const states = new Map<string, RunState>();
  const logs = new Map<string, RunEvent[]>();
  const agents = new Map<string, Agent>();
  const wakers = new Set<() => void>();
  const wake = () => {
    for (const waker of wakers) waker();
  };
  const changed = () =>
    new Promise<void>((resolve) => {
      const waker = () => {
        wakers.delete(waker);
        resolve();
      };
      wakers.add(waker);
    });
  const find = (id: string): Run => {
    const state = states.get(id);
    if (state === undefined)
      throw new ProctorError("RUN_NOT_FOUND", `there is no run ${id}\nsee: proctor runs list`);
    return state.run;
  };

  const hub: HubDouble = {
    requests: [],
    cancelled: [],
    closed: 0,
    append(id, draft, timeMs) {
      const log = logs.get(id) ?? [];
      const time = timeMs ?? START_MS + log.length * 250;
      states.set(id, applyEvent(states.get(id) ?? null, id, draft, time));
      // A draft with its place in the log is an event.
      const place = { run_id: id, sequence: log.length, timestamp: new Date(time).toISOString() };
      logs.set(id, [...log, { ...place, ...draft }]);
      wake();
    },
    create(request, id = uuidV7()) {
      const { agent, task, constraints = {}, context = {}, metadata = {}, retry = null } = request;
      const { options, conversation_id, follows } = request;
      const [label, spec] =
        typeof agent === "string"
          ? [agent, { protocol: "atp", transport: "stdio", command: ["x"] }]
          : [formatAddress(agent), agent];
      const rest = {
        task,
        constraints,
        context,
        metadata,
        retry,
        attempt: 1,
        retry_of: null,
        trace_id: "0".repeat(32),
        ...(options && { options }),
        ...(conversation_id !== undefined && { conversation_id }),
        ...(follows !== undefined && { follows }),
      };
      hub.append(id, { type: "run.created", payload: { agent: label, spec, ...rest } });
      hub.append(id, { type: "run.queued", payload: {} });
      return find(id);
    },
    async submit(request) {
      hub.requests.push(request);
      const run = hub.create(request);
      void play(run, hub.requests.length);
      return { run, created: true };
    },
    run: async (id) => find(id),
    runs: async ({ limit = 50, status, prefix = "" }) => {
      const all = [...states.values()]
        .map(({ run }) => run)
        .filter((run) => (status?.includes(run.status) ?? true) && run.id.startsWith(prefix))
        .toReversed();
      return { items: all.slice(0, limit), next_cursor: all.length > limit ? "next" : null };
    },
    async events(id, { after = -1, limit = 50 }) {
      find(id);
      return (logs.get(id) ?? []).slice(after + 1, after + 1 + limit);
    },
    async *follow(id, after, signal) {
      let next = after + 1;
      while (!signal.aborted) {
        const event = logs.get(id)?.[next];
        if (event === undefined) {
          if (isTerminal(find(id).status)) return;
          await Promise.race([changed(), aborted(signal)]);
          continue;
        }
        next++;
        yield event;
      }
    },
    async cancel(id, reason = "") {
      if (isTerminal(find(id).status)) throw new ProctorError("ILLEGAL_TRANSITION", `run ${id} has ended`);
      hub.cancelled.push(id);
      hub.append(id, { type: "run.cancel_requested", payload: { reason } });
      return find(id);
    },
    async untilCancelled(id) {
      while (!hub.cancelled.includes(id)) await changed();
    },
    async untilAnswered(id) {
      while (find(id).questions.length > 0) await changed();
    },
    pause: async (id) => find(id),
    resume: async (id) => find(id),
    // No command has to do with these yet.
    prepare: notHere,
    start: notHere,
    openClientRun: notHere,
    tell: notHere,
    async say(id, { id: messageId = uuidV7(), parts }) {
      const { status } = find(id);
      if (isTerminal(status)) throw runEnded(id, status);
      const message: Message = { id: messageId, role: "user", parts };
      hub.append(id, { type: "message.added", payload: { message } });
      return message;
    },
    async answer(id, given) {
      const question = find(id).questions.find((open) => open.id === given.question_id);
      const answer: Answer = question
        ? checkAnswer(question, given)
        : { id: "", by: { kind: "client" }, outcome: "declined" };
      hub.append(id, { type: "question.answered", payload: { id: given.question_id, answer } });
      return find(id);
    },
    messages: async (id) => messagesOf(find(id), logs.get(id) ?? []),
    async questions({ limit = 50, kind, audience, agent, conversation, run: only }) {
      const all = [...states.values()].flatMap(({ run }) =>
        run.questions.map((question) => ({
          run_id: run.id,
          agent: run.agent,
          conversation_id: run.conversation_id,
          goal: null,
          question,
        })),
      );
      const fitting = all.filter(
        (open) =>
          open.question.kind === (kind ?? open.question.kind) &&
          open.question.audience === (audience ?? open.question.audience) &&
          open.agent === (agent ?? open.agent) &&
          open.run_id === (only ?? open.run_id) &&
          open.conversation_id === (conversation ?? open.conversation_id),
      );
      return { items: fitting.slice(0, limit), next_cursor: fitting.length > limit ? "next" : null };
    },
    async conversation(id) {
      const runs = [...states.values()].map(({ run }) => run).filter((run) => run.conversation_id === id);
      return {
        id,
        runs,
        messages: runs.flatMap((run) => messagesOf(run, logs.get(run.id) ?? [])),
        cut: false,
      };
    },
    forkPoints: notHere,
    fork: notHere,
    tally: notHere,
    steps: notHere,
    addFile: notHere,
    removeArtifact: notHere,
    remove: notHere,
    runsPage: notHere,
    artifact: async () => {
      throw new ProctorError("ARTIFACT_NOT_FOUND", "no");
    },
    readArtifact: async (_, id) => bytesOf(`bytes of ${id}`),
    openWorkspace: () => Promise.reject(new Error("no workspace here")),
    packWorkspace: () => Promise.reject(new Error("no workspace here")),
    verify: () => Promise.reject(new Error("no verifier here")),
    release: () => Promise.resolve(),
    agents: async () => ({ items: [...agents.values()], next_cursor: null }),
    async agent(name) {
      const agent = agents.get(name);
      if (agent === undefined) throw new ProctorError("AGENT_NOT_FOUND", `there is no agent ${name}`);
      return agent;
    },
    async addAgent(agent, options = {}) {
      if (agents.has(agent.name) && options.replace !== true) {
        throw new ProctorError("AGENT_EXISTS", `an agent ${agent.name} exists\nreplace it with --replace`);
      }
      const added = { ...agent, address: formatAddress(agent), created_at: new Date().toISOString() };
      agents.set(agent.name, added);
      return added;
    },
    async removeAgent(name) {
      await hub.agent(name);
      agents.delete(name);
    },
    close: async () => void hub.closed++,
  };

  async function play(run: Run, attempt: number): Promise<void> {
    for await (const draft of script(run, attempt, hub)) hub.append(run.id, draft);
  }
  return hub;
}

function messagesOf(run: Run, log: readonly RunEvent[]): ConversationMessage[] {
  const fold = createMessageFold(run.id);
  for (const event of log) fold.add(event);
  return fold.messages(run);
}

function notHere(): Promise<never> {
  return Promise.reject(new Error("this double does not know how"));
}

function* completes(): Generator<EventDraft> {
  yield { type: "run.started", payload: { worker: "here" } };
  yield { type: "run.ended", payload: { status: "completed" } };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

export interface ProgramDouble {
  hub: HubDouble;
  /** How the hub was opened. */
  modes: string[];
  sources: ConfigSources[];
  run(argv: string[], io?: IoDouble): Promise<{ code: number; out: string; err: string }>;
}

export interface ProgramOptions {
  script?: Script;
  /** The hub is elsewhere, at this address. */
  hubUrl?: string;
  serve?: Composition["serve"];
  /** None unless said. */
  environments?: Partial<MachineEnvironments>;
}

/** The whole program on a hub double. */
export function createProgramDouble(options: ProgramOptions = {}): ProgramDouble {
  const { script, hubUrl, serve, environments } = options;
  const hub = createHubDouble(script);
  const modes: string[] = [];
  const sources: ConfigSources[] = [];
  const dataDir = temporaryFolder("program");
  const composition: Composition = {
    async loadConfig(given) {
      sources.push(given);
      // Commands look at nothing else of the configuration.
      return {
        dataDir,
        unsafeLocal: false,
        log: "info",
        ...(hubUrl !== undefined && { hubUrl }),
      } as Config;
    },
    async openHub(_, mode) {
      modes.push(mode);
      const onThisMachine = hubUrl === undefined;
      const platform = createPlatformDouble(hub);
      const where = onThisMachine ? "in-process" : "remote";
      return { hub, platform, where, onThisMachine, close: () => hub.close() };
    },
    serve: serve ?? (async () => {}),
    work: async () => {},
    schemes: async () => ["atp+stdio"],
    optionCheck: async () => () => [],
    talksOf: async () => ({}),
    conformance: () => Promise.reject(new Error("nothing is tried in these tests")),
    clientConformance: () => Promise.reject(new Error("nothing is tried in these tests")),
    gatewayConformance: () => Promise.reject(new Error("nothing is tried in these tests")),
    actsConformance: () => Promise.reject(new Error("nothing is tried in these tests")),
    announceDouble: () =>
      Promise.resolve({ start: () => undefined, tell: () => undefined, close: () => Promise.resolve() }),
    serveMockTools: () => Promise.reject(new Error("nothing is served in these tests")),
    serveMockAgent: () => Promise.reject(new Error("nothing is served in these tests")),
    openScriptedAgent: () => Promise.reject(new Error("nothing is served in these tests")),
    serveScriptedAgent: () => Promise.reject(new Error("nothing is served in these tests")),
    serveBridge: () => Promise.reject(new Error("nothing is served in these tests")),
    readGoal: async (text) => ({ goal: text }),
    isRecording: async () => true,
    recordedScript: async () => undefined,
    writeRecording: () => Promise.reject(new Error("nothing is recorded in these tests")),
    serveMockLlm: () => Promise.reject(new Error("nothing is served in these tests")),
    openOAuthLab: notHere,
    serveOAuthLab: notHere,
    openPushReceiver: notHere,
    servePushReceiver: notHere,
    checkServices: async () => ({
      runCommand: () => Promise.reject(new Error("nothing is started in these tests")),
    }),
    openEnvironments: async () => ({
      ...noEnvironments(),
      toolchain: () => Promise.resolve({ python: undefined, pytest: undefined, notes: [] }),
      ...environments,
    }),
    openTraces: () => Promise.reject(new Error("nothing is sent in these tests")),
    moveDatabase: () => Promise.reject(new Error("nothing is moved in these tests")),
    async encodeResponse(run, readArtifact) {
      const contents = await Promise.all(
        run.artifacts.map(async (artifact) => Buffer.from(await readArtifact(artifact)).toString()),
      );
      return { version: "1.0", task_id: run.id, status: run.status, artifacts: contents };
    },
  };
  return {
    hub,
    modes,
    sources,
    async run(argv, io = createIo()) {
      const code = await main(argv, io, composition);
      return { code, out: io.out(), err: io.err() };
    },
  };
}
