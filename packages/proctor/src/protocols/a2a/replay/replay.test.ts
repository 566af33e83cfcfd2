// Differential: whatever an A2A agent does, over whatever binding, its recording comes to the same when it is played.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveA2aGrpc } from "../../../../test/support/a2a/grpc-stage.ts";
import { createMemoryService } from "../../../../test/support/a2a/memory-service.ts";
import { serveA2a, type Asked, type ScriptedOptions } from "../../../../test/support/a2a/scripted-server.ts";
import {
  agentMessage,
  artifactFrame,
  statusFrame,
  TASK,
  taskOf,
} from "../../../../test/support/a2a/task-words.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { openTestHub, type TestHub } from "../../../../test/support/test-hub.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import type { RunEvent } from "../../../core/event.ts";
import type { JsonObject } from "../../../core/json.ts";
import { textPart } from "../../../core/message.ts";
import { writeRecording } from "../../../doubles/recordings/write-recording.ts";
import { substanceOf } from "../../../suites/substance.ts";
import { A2A_VERSIONS } from "../service.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub({ graceMs: 200 });
});
afterAll(() => hub.close());

interface Conduct {
  /** Whether the run's agent may ask; each question gets this answer. */
  answer?: string;
  /** It is answered when the live run's log has an event of this type; at once when absent. */
  answerAt?: RunEvent["type"];
  /** Somebody cancels the run when its log has an event of this type. */
  cancelAt?: RunEvent["type"];
}

/** Makes a run, answers and cancels as asked, and writes its recording. */
async function run(agent: AgentSpec | string, conduct: Conduct, record: boolean) {
  const { answer } = conduct;
  const options = { ...(record && { record }), ...(answer !== undefined && { conversation: {} }) };
  const { run: made } = await hub.hub.submit({ agent, task: { description: "do it" }, options });
  // A replay holds its session: nothing of it is left.
  const watching = watch(made.id, record ? conduct : { ...conduct, answerAt: "question.asked" });
  const ended = await hub.ended(made.id);
  await watching;
  const log = await hub.log(made.id);
  const file = join(hub.folder, "recordings", `${made.id}.jsonl`);
  await writeRecording(file, ended, each(log));
  const of = (...types: string[]): RunEvent[] => log.filter(({ type }) => types.includes(type));
  const { failure } = ended;
  const outcome = {
    substance: await substanceOf(ended, each(log)),
    failure,
    rules: log.flatMap((event) => (event.type === "violation" ? [event.payload.rule] : [])),
    questions: log.flatMap((event) =>
      event.type === "question.asked" ? [event.payload.question.parts] : [],
    ),
    closed: of("question.answered", "question.withdrawn", "question.expired").map(({ type }) => type),
    said: (await hub.hub.messages(made.id)).map(({ message: { role, parts } }) => ({ role, parts })),
  };
  return { file, log, outcome };
}

async function watch(id: string, conduct: Conduct): Promise<void> {
  const { answer = "", answerAt = "question.asked", cancelAt } = conduct;
  let asked: string | undefined;
  for await (const event of hub.hub.follow(id, -1, new AbortController().signal)) {
    if (event.type === "question.asked") asked = event.payload.question.id;
    if (event.type === answerAt && answer !== "" && asked !== undefined) {
      await hub.hub.answer(id, { question_id: asked, parts: [textPart(answer)] });
      asked = undefined;
    }
    if (event.type === cancelAt) await hub.hub.cancel(id, "enough");
  }
}

async function* each(log: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* log;
}

async function comesToTheSame(agent: string, conduct: Conduct, asked: () => number) {
  const live = await run(agent, conduct, true);
  const before = asked();
  const played = await run(`replay+file:${live.file}`, conduct, false);
  expect(played.outcome).toEqual(live.outcome);
  expect(asked()).toBe(before);
  return live;
}

async function play(asked: Asked, ...frames: JsonObject[]): Promise<void> {
  const stream = asked.stream();
  for (const [index, frame] of frames.entries()) await stream.frame(frame, `id-${index}`);
  stream.end();
}

const isAnswer = ({ params }: Asked): boolean => (params["message"] as JsonObject)["taskId"] !== undefined;
const ask = (asked: Asked): Promise<void> =>
  play(asked, { task: taskOf("SUBMITTED") }, statusFrame("INPUT_REQUIRED", "when?"));
const finish = (asked: Asked): Promise<void> =>
  play(
    asked,
    { task: taskOf("WORKING") },
    artifactFrame("42", { lastChunk: true }),
    statusFrame("COMPLETED", "ok"),
  );

let standing = taskOf("INPUT_REQUIRED", {}, "when?");

/** Asks for a date, is looked at when its session is opened again, and is done when it has one. */
function asksOnce(asked: Asked): void | Promise<void> {
  if (asked.operation === "cancelTask") standing = taskOf("CANCELED");
  if (asked.operation !== "stream") return asked.result(standing);
  const hasDate = isAnswer(asked);
  standing = hasDate ? taskOf("COMPLETED", {}, "ok") : taskOf("INPUT_REQUIRED", {}, "when?");
  return hasDate ? finish(asked) : ask(asked);
}

/** Never ends by itself. */
async function works(asked: Asked): Promise<void> {
  if (asked.operation === "cancelTask") return asked.result(taskOf("CANCELED", {}, "as you like"));
  const stream = asked.stream();
  await stream.frame({ task: taskOf("WORKING") });
  await stream.frame(statusFrame("WORKING", "on it"));
}

let polls = 0;
let streams = 0;

const AGENTS: [
  what: string,
  agent: (asked: Asked) => void | Promise<void>,
  options?: ScriptedOptions,
  conduct?: Conduct,
][] = [
  [
    "streams",
    (asked) =>
      play(
        asked,
        { task: taskOf("SUBMITTED") },
        statusFrame("WORKING", "one"),
        artifactFrame("Hello "),
        artifactFrame("you", { append: true, lastChunk: true }),
        statusFrame("COMPLETED", "two"),
      ),
  ],
  ["answers with a message", (asked) => play(asked, { message: agentMessage("hi") })],
  [
    "is asked again and again",
    (asked) => {
      if (asked.operation === "send") polls = 0;
      const task = polls++ < 3 ? taskOf("WORKING") : taskOf("COMPLETED", {}, "at last");
      asked.result(asked.operation === "send" ? { task } : task);
    },
    { streaming: false },
  ],
  ["speaks HTTP+JSON", finish, { binding: "HTTP+JSON" }],
  ["asks and gets an answer", asksOnce, {}, { answer: "tomorrow" }],
  ["asks, is left, and gets an answer", asksOnce, {}, { answer: "tomorrow", answerAt: "session.parked" }],
  ["asks where nobody can be asked", asksOnce],
  ["asks and is cancelled", asksOnce, {}, { answer: "", cancelAt: "session.parked" }],
  ["is cancelled at work", works, {}, { cancelAt: "message.added" }],
  ["refuses", (asked) => asked.error(-32005, "no such media")],
  [
    "loses its stream",
    async (asked) => {
      if (asked.operation === "stream") streams = 0;
      if (streams++ > 0) return finish(asked);
      const stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING") }, "id-0");
      stream.cut();
    },
  ],
  [
    "sends garbage",
    async (asked) => {
      if (asked.operation !== "stream") return asked.error(-32001, "gone");
      const stream = asked.stream();
      await stream.frame({ task: { ...taskOf("WORKING"), history: 7 } });
      await stream.write("data: { nothing\n\n");
      stream.end();
    },
  ],
  ["breaks off", (asked) => void asked.response.destroy()],
  ["sends a page", (asked) => void asked.response.writeHead(500, { "content-type": "text/html" }).end("<p>")],
  [
    "has a card with problems",
    finish,
    { card: (card) => ({ ...card, description: 7, skills: [{ id: "s" }] }) },
  ],
  ["has no card", finish, { card: () => undefined }],
];

describe("the recording of an A2A agent", { timeout: HANG_MS }, () => {
  it.each(AGENTS)("that %s comes to the same when it is played", async (_what, agent, options, conduct) => {
    const served = await serveA2a(agent, options);
    await comesToTheSame(`a2a+${served.url}`, conduct ?? {}, () => served.asked.length);
  });

  it.each(A2A_VERSIONS)("over gRPC, %s, comes to the same when it is played", async (version) => {
    const service = createMemoryService();
    const served = await serveA2aGrpc(service);
    try {
      const url = served.url;
      await hub.hub.addAgent(
        { name: `memory-${version}`, protocol: "a2a", transport: "grpc", url, options: { version } },
        { replace: true },
      );
      const { log } = await comesToTheSame(`memory-${version}`, {}, () => service.calls.length);
      expect(log.some(({ type }) => type === "wire.message")).toBe(true);
    } finally {
      await served.close(0);
    }
  });

  it("holds no credentials, and what was said to the agent", async () => {
    const served = await serveA2a(asksOnce);
    const secret = "s3cret-t0ken";
    const spec = { name: "keyed", protocol: "a2a", transport: "http", url: served.url };
    const options = { auth: { type: "bearer", token: secret } };
    await hub.hub.addAgent({ ...spec, options }, { replace: true });
    const { log } = await run("keyed", { answer: "tomorrow", answerAt: "session.parked" }, true);
    const wire = log.flatMap((event) => (event.type === "wire.message" ? [event.payload] : []));
    const sent = wire.filter(({ direction }) => direction === "sent").map(({ name }) => name);
    // Another session looked at the task, before and after, and numbered its calls anew.
    expect(sent).toEqual(["1:stream", "1:getTask", "2:stream", "3:getTask"]);
    expect(JSON.stringify(wire)).toContain("tomorrow");
    expect(JSON.stringify(wire)).toContain(TASK);
    expect(JSON.stringify(wire)).not.toContain(secret);
    expect(served.asked.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
  });

  it("that was edited into no JSON fails its run, and nothing else", async () => {
    const served = await serveA2a(finish);
    const { file } = await run(`a2a+${served.url}`, {}, true);
    const { readFile, writeFile } = await import("node:fs/promises");
    const text = await readFile(file, "utf8");
    const frame = /("channel":"frame","text":")(?:[^"\\]|\\.)*"/;
    await writeFile(file, text.replace(frame, '$1{ nothing"'));
    const { outcome } = await run(`replay+file:${file}`, {}, false);
    expect(outcome.failure).toMatchObject({ code: "INVALID_RESPONSE" });
  });
});
